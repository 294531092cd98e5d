import type { Diagnostic } from '../../schemas/diagnostic.ts'

/** The same for findings of one file. */
export function fileKey({ at }: { at: Pick<Diagnostic['at'], 'origin'> }): string {
  const { source, plugin, checkout, path } = at.origin
  return [source, plugin, checkout, path].join('\0')
}

/** Findings by file and place; each key is made once, not for every comparison. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyed = diagnostics.map((item) => ({ item, key: fileKey(item), start: item.at.range[0] }))
  keyed.sort((a, b) => {
    if (a.key !== b.key) return a.key < b.key ? -1 : 1
    if (a.start !== b.start) return a.start - b.start
    return a.item.code < b.item.code ? -1 : a.item.code > b.item.code ? 1 : 0
  })
  return keyed.map(({ item }) => item)
}
