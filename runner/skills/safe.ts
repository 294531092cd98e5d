import type { PromptFile } from './catalogue.ts'

/**
 * What a skill may say and still only add text: all of it is words, or narrows. A key that is not listed here has to be asked about,
 * so that one which is added to the manifest later is not taken for harmless by itself.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'description',
  'content',
  'hash',
  'origin',
  'whenToUse',
  'argumentHint',
  'arguments',
  'disableModelInvocation',
  'userInvocable',
  'disallowedTools',
  'model',
  'contextWindow',
  'effort',
  'context',
  'agent',
  'background',
  'paths',
  'shell',
] satisfies (keyof (PromptFile & { description: string }))[])

/** Whether a skill is run unasked where no rule says otherwise (measured.md: one with `allowed-tools` asks). */
export function isSafe(skill: PromptFile): boolean {
  return Object.keys(skill).every((key) => HARMLESS.has(key) || skill[key as keyof PromptFile] === undefined)
}
