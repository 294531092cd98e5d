import picomatch from 'picomatch'

const OPTIONS = { dot: true, nonegate: true } as const

/**
 * A path pattern of a permission rule, in the manner of .gitignore: without a slash it matches at any depth, with one from the anchor,
 * and a folder that matches takes everything below it along. `undefined` for a negation, which only makes sense within a list.
 */
export function rulePattern(pattern: string): ((relative: string) => boolean) | undefined {
  if (pattern.startsWith('!')) return undefined
  const plain = pattern.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
  if (plain === '') return () => true
  const base = plain.includes('/') || pattern.startsWith('/') ? plain : `**/${plain}`
  return picomatch(pattern.endsWith('/') ? [`${base}/**/*`] : [base, `${base}/**`], OPTIONS)
}

/** The glob of a search: without a slash it is compared with the file's name at any depth, else with the path below the searched folder. */
export function fileGlob(pattern: string): (relative: string) => boolean {
  const plain = pattern.replace(/^(?:\.\/)+/, '')
  return picomatch(plain.includes('/') ? plain : `**/${plain}`, OPTIONS)
}
