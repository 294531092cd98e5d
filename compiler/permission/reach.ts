import type { Match, Rule } from '../../schemas/shapes/permission.ts'
import { starFits } from '../../schemas/star.ts'

/** Whether every call that `narrow` is about is one that `wide` is about too. `false` where that cannot be told from the rules alone. */
export function includes(wide: Rule, narrow: Rule): boolean {
  if (wide.tool !== narrow.tool && !(wide.tool.includes('*') && starFits(wide.tool, narrow.tool))) return false
  if (!wide.match) return true
  return narrow.match !== undefined && includesMatch(wide.match, narrow.match, wide, narrow)
}

function includesMatch(wide: Match, narrow: Match, ...rules: [Rule, Rule]): boolean {
  if ('prefix' in wide) return startsWith(wordsOf(narrow), wide.prefix)
  if ('wildcard' in wide && 'exact' in narrow) return starFits(wide.wildcard, narrow.exact)
  if ('namePrefix' in wide) return (nameOf(narrow) ?? '').startsWith(wide.namePrefix)
  if ('path' in wide) return 'path' in narrow && samePath(wide, narrow, ...rules)
  if ('domain' in wide && 'domain' in narrow) return wide.domain === narrow.domain
  return JSON.stringify(wide) === JSON.stringify(narrow)
}

type PathMatch = Extract<Match, { path: string }>

/** A path that counts from the folder of the settings is the same only in the same folder. */
function samePath(wide: PathMatch, narrow: PathMatch, a: Rule, b: Rule): boolean {
  if (wide.anchor !== narrow.anchor || wide.path.replace(/^\*\*\//, '') !== narrow.path.replace(/^\*\*\//, '')) return false
  return wide.anchor !== 'source' || (a.origin?.source === b.origin?.source && folderOf(a) === folderOf(b))
}

function folderOf({ origin }: Rule): string {
  return origin?.path.replace(/[^/]*$/, '') ?? ''
}

function wordsOf(match: Match): readonly string[] {
  if ('prefix' in match) return match.prefix
  return 'exact' in match ? match.exact.trim().split(/\s+/) : []
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return words.length >= start.length && start.every((word, i) => words[i] === word)
}

function nameOf(match: Match): string | undefined {
  return 'name' in match ? match.name : 'namePrefix' in match ? match.namePrefix : undefined
}
