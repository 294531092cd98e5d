/**
 * What is said to a model in addition, by its family, where a prompt asks for it (mission M15). Each text answers a habit that the makers of
 * the models describe for that family (platform.claude.com, "Prompting best practices", its pages on Fable 5.1, Haiku 5.5, Opus 5 and Sonnet 5,
 * autumn 2026). A family without such a habit has no text.
 */
export const FAMILY_GUIDANCE: Readonly<Record<string, string>> = {
  fable:
    'Send calls that do not depend on each other together. Say of your progress only what a result has shown you, and finish what you have begun before you report.',
  haiku:
    'Carry the task to its end before you report, and hand nothing back that you could find out or do yourself. Call something done only after you have run a check and seen what it printed.',
  opus: 'Do what was asked and stop there: no files, options or rewrites beyond it, and no more steps or agents than it takes. Between calls write only what has changed since you last wrote.',
  sonnet:
    'Take an instruction for every case that it plainly covers, not only for the one that it names. Use a tool wherever it would tell you what you would otherwise assume.',
}

const FAMILIES = new RegExp(`(?:^|[-./])(${Object.keys(FAMILY_GUIDANCE).join('|')})(?=[-@:]|$)`)

/** In: a model's full id, also as cloud providers write it. Out: its family, if it is a known one. */
export function familyOf(model: string): string | undefined {
  return FAMILIES.exec(model)?.[1]
}
