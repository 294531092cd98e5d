import matter from 'gray-matter'

/** What gray-matter would evaluate as code, or read by rules of its own. */
const LOCKED = ['javascript', 'js', 'json', 'coffee', 'coffeescript', 'cson', 'toml'] as const

export interface Matter {
  data: Record<string, unknown>
  /** What stands below the frontmatter. */
  content: string
  /** The language that the text asked for and that is not read. */
  refused?: string
}

/**
 * The only door to gray-matter. In: a file's text, its closing fence with the line end, and a reader of its YAML.
 * The fence is given because gray-matter takes any line that begins with three dashes for one, so both divide a file alike;
 * the YAML goes to our own reader, and every other language is refused: gray-matter would run `---js` (runner-facts.md, decision 10).
 * Options are always passed, because without them it hands out one shared object for equal texts.
 */
export function readMatter(text: string, closing: string, yaml: (frontmatter: string) => object): Matter {
  let refused: string | undefined
  const lock = (name: string) => (): object => ((refused = name), {})
  const engines = { ...Object.fromEntries(LOCKED.map((name) => [name, lock(name)])), yaml, yml: yaml }
  const ended = closing.endsWith('\n')
  const whole = ended ? text : `${text}\n`
  const { data, content } = matter(whole, { engines, language: 'yaml', delimiters: ['---', ended ? closing : `${closing}\n`] })
  return { data, content, ...(refused !== undefined && { refused }) }
}
