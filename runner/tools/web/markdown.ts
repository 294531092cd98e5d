import { Worker } from 'node:worker_threads'

/** Characters of HTML that are turned into Markdown. */
const HTML_CHARS = 2_000_000
const TIMEOUT = 10_000
const LIMITS = { maxOldGenerationSizeMb: 1024, stackSizeMb: 8 }

/**
 * HTML as Markdown: scripts, styles and menus left out, tables kept. It is made in a thread of its own, with bounds: a page that is nested
 * a hundred thousand deep takes minutes to parse, and a hostile one is easily made so. What cannot be made in time comes without its tags.
 */
export async function markdownOf(html: string, timeout = TIMEOUT): Promise<string> {
  const cut = html.slice(0, HTML_CHARS)
  const text = (await converted(cut, timeout)) ?? withoutTags(cut)
  return cut.length < html.length ? `${text}\n[The page goes on: only its first ${HTML_CHARS} characters of HTML were read]` : text
}

function converted(html: string, timeout: number): Promise<string | undefined> {
  const worker = new Worker(new URL('./markdown-worker.js', import.meta.url), {
    workerData: html,
    env: {},
    execArgv: [],
    stderr: true,
    resourceLimits: LIMITS,
  })
  return new Promise((resolve) => {
    const done = (text?: string) => {
      clearTimeout(timer)
      resolve(text)
      void worker.terminate()
    }
    const timer = setTimeout(done, timeout)
    worker.once('message', done)
    worker.once('error', () => done())
    worker.once('exit', () => done())
  })
}

/** For pages that are too much for a parser; a pass over the text, whatever it holds. */
function withoutTags(html: string): string {
  return html
    .replace(/<(?:script|style)\b[^<]*(?:<(?!\/(?:script|style)\b)[^<]*)*/gi, ' ')
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
