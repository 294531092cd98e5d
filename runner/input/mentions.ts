/** `@path` in a prompt: after a blank or at the start; `@"a path"` for one with blanks. Trailing punctuation is not a part of it. */
const MENTION = /(?<=^|[\s(])@(?:"([^"\n]+)"|([\w.~/][^\s"'`,;:!?)]*))/g

/** The paths that a prompt mentions, each once, in their order. An address such as `me@example.org` is none. */
export function mentions(prompt: string): string[] {
  const found = [...prompt.matchAll(MENTION)].map(([, inQuotes, plain]) => inQuotes ?? plain!.replace(/\.+$/, ''))
  return [...new Set(found.filter((path) => path !== ''))]
}
