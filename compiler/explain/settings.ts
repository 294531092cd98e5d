import type { PlacedOrigin } from '../../schemas/shapes/permission.ts'
import { starFits } from '../../schemas/star.ts'
import type { Settings, Switch, Written } from '../settings/settings.ts'
import { placeText, shownPlace } from './place.ts'

/** One thing that is not only the agent's own: what it is, where it is written, what it replaced, and what keeps it from counting. */
export interface Explained {
  name: string
  from: string
  overruled: string[]
  /** Why it does not count, if it does not. */
  off?: string
}

/** What the settings say to every agent, but for rules and hooks. Values of `env` are not shown. */
export function explainSettings(settings: Settings): Explained[] {
  return [
    ...settings.values.additionalDirectories.map(({ value, origin }) => plain(`additionalDirectories ${value}`, origin)),
    ...[...settings.written].map(([key, values]) => single(key, values)),
  ]
}

export function plain(name: string, origin: PlacedOrigin, off?: string): Explained {
  return { name, from: shownPlace(origin), overruled: [], ...(off !== undefined && { off }) }
}

export function switchText(by: Switch): string {
  return `${by.key} at ${placeText(by.file, by.range)}`
}

function single(key: string, values: readonly Written<unknown>[]): Explained {
  const shown = ({ value }: Written<unknown>): string => (key.startsWith('env.') ? '' : ` ${String(value)}`)
  const overruled = values.slice(0, -1).map((item) => `${key}${shown(item)} at ${placeText(item.file, item.range)}`)
  const counting = values.at(-1)!
  return { name: key + shown(counting), from: placeText(counting.file, counting.range), overruled: overruled.reverse() }
}

/** The deny rule that takes a tool from everyone: `Bash at .claude/settings.json:3:7`. */
export function denialOf(tool: string, { rules }: Settings): string | undefined {
  const found = rules.find(({ list, rule }) => list === 'deny' && !rule.match && starFits(rule.tool, tool))
  return found && `${found.text} at ${placeText(found.file, found.range)}`
}
