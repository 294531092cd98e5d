// The thread in which HTML becomes Markdown, and the one door to turndown. JavaScript, because Node runs it as it is, in the source as in
// the bundle (scripts/build.mjs puts it beside the chunk of markdown.ts). In: the HTML as workerData. Out: one message, the Markdown.
import { parentPort, workerData } from 'node:worker_threads'
import Turndown from 'turndown'
import { gfm } from 'turndown-plugin-gfm'

const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' })
service.use(gfm)
service.remove(['script', 'style', 'nav', 'noscript', 'iframe', 'template', 'title'])
const markdown = service.turndown(workerData)
// oxlint-disable-next-line require-post-message-target-origin -- a port of Node, not a window
parentPort.postMessage(markdown.replace(/\n{3,}/g, '\n\n').trim())
