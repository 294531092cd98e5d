import type { CodeDoc } from './code-doc.ts'

const PATH = '.claude/skills/release-notes/SKILL.md'
const HEAD = 'name: release-notes\ndescription: Writes release notes. Use it when a version is tagged.\n'
const BODY = 'List the merged changes, newest first.\n'

/** A skill file with nothing wrong in it, but for what `lines` add to its frontmatter. */
export function skill(...lines: string[]): string {
  return `---\n${HEAD}${lines.map((line) => `${line}\n`).join('')}---\n\n${BODY}`
}

const GOOD = { [PATH]: skill() }

export const SKILL_CODES = {
  'skill/unreadable': {
    severity: 'warning',
    what: 'The file of a skill or command cannot be read, or its frontmatter cannot.',
    why: 'The skill is missing, and one of the same name in a lower layer does not take its place.',
    todo: 'Close the frontmatter and write it as `key: value` lines; let links lead to files that exist.',
    bad: { [PATH]: `---\n${HEAD}\n${BODY}` },
    good: GOOD,
  },
  'skill/no-frontmatter': {
    severity: 'warning',
    what: 'A SKILL.md has no frontmatter on its first line.',
    why: 'The skill is called as its folder, and the model has only the first line of its text to choose it by.',
    todo: 'Put a frontmatter with a `description` at the very top.',
    bad: { [PATH]: BODY },
    good: GOOD,
  },
  'skill/missing-description': {
    severity: 'warning',
    what: 'A skill has no `description`, or an empty one.',
    why: 'The model has only the first line of its text to choose it by, so the skill is seldom used.',
    todo: 'Say in one or two sentences what the skill does and when to use it.',
    bad: { [PATH]: `---\nname: release-notes\n---\n\n${BODY}` },
    good: GOOD,
  },
  'skill/name-differs': {
    severity: 'info',
    what: 'A skill names itself otherwise than its folder.',
    why: 'In a project and for a person the folder counts, in a plugin the name; other programs refuse such a skill.',
    todo: 'Rename the folder, or correct the name.',
    bad: { '.claude/skills/notes/SKILL.md': skill() },
    good: GOOD,
  },
  'skill/misspelt-key': {
    severity: 'warning',
    what: 'A key of a skill or command is a misspelling of a known one.',
    why: 'It does nothing: the skill behaves as if the key were not there.',
    todo: 'Rename the key.',
    bad: { [PATH]: skill('disable_model_invocation: true') },
    good: { [PATH]: skill('disable-model-invocation: true') },
  },
  'skill/duplicate-key': {
    severity: 'warning',
    what: 'A key stands twice in the frontmatter of a skill or command.',
    why: 'Only the last one counts.',
    todo: 'Keep one of the two.',
    bad: { [PATH]: skill('effort: low', 'effort: high') },
    good: { [PATH]: skill('effort: high') },
  },
  'skill/unknown-agent': {
    severity: 'warning',
    what: 'A skill names an agent that does not exist, to be run in.',
    why: 'The skill cannot be run.',
    todo: 'Correct the name, create the agent, or remove the key.',
    bad: { [PATH]: skill('context: fork', 'agent: writer') },
    good: { [PATH]: skill('context: fork', 'agent: general-purpose') },
  },
  'skill/hides-command': {
    severity: 'info',
    what: 'A skill and a command have the same name.',
    why: 'Only the skill can be run.',
    todo: 'Rename one of the two, or delete the command.',
    bad: { ...GOOD, '.claude/commands/release-notes.md': BODY },
    good: { ...GOOD, '.claude/commands/tag.md': BODY },
  },
} as const satisfies Record<string, CodeDoc>
