import type { Match, Rule } from './shapes/permission.ts'

const ANCHORS = { root: '//', home: '~/', source: '/', cwd: '' } as const

/** A rule as people write it in settings. */
export function ruleText({ tool, match }: Pick<Rule, 'tool' | 'match'>): string {
  return `${tool}${match ? specifier(match) : ''}`
}

function specifier(at: Match): string {
  if ('path' in at) return `(${path(at)})`
  if ('param' in at) return `(${at.param}:${at.value})`
  if ('prefix' in at) return `(${at.prefix.join(' ')}:*)`
  if ('domain' in at) return `(domain:${at.domain})`
  return `(${'namePrefix' in at ? `${at.namePrefix}*` : Object.values(at)[0]})`
}

/** From the working directory `/` and `~` are no anchors. */
function path({ path: own, anchor }: Extract<Match, { path: string }>): string {
  if (anchor === 'cwd') return /^~(?:\/|$)/.test(own) ? `./${own}` : own
  return `${ANCHORS[anchor]}${own.replace(/^\/+/, '')}`
}
