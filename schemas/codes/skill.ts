import type { CodeDoc } from './code-doc.ts'
import { REMOTE } from './config.ts'

const PATH = '.claude/skills/release-notes/SKILL.md'
const HEAD = 'name: release-notes\ndescription: Writes release notes. Use it when a version is tagged.\n'
const BODY = 'List the merged changes, newest first.\n'

/** A skill file with nothing wrong in it, but for what `lines` add to its frontmatter. */
export function skill(...lines: string[]): string {
  return `---\n${HEAD}${lines.map((line) => `${line}\n`).join('')}---\n\n${BODY}`
}

const GOOD = { [PATH]: skill() }

const CONFIG = 'agentc.config.json'
const OTHER = { 'release-notes': { ...REMOTE.remote['release-notes'], digest: `sha256:${'a1'.repeat(32)}` } }

function remote(entries: unknown): string {
  return `${JSON.stringify({ skills: { address: REMOTE.address, remote: entries } }, null, 2)}\n`
}

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
  'skill/unpinned': {
    severity: 'error',
    what: 'A remote skill has no digest, or a value that is none.',
    why: 'Its text is fetched when it is used, and without a digest whoever keeps it could change what agents are told.',
    todo: 'Look at its SKILL.md, and write `sha256:` and what `sha256sum SKILL.md` prints as its `digest`.',
    bad: { [CONFIG]: remote({ 'release-notes': { description: 'Writes release notes.' } }) },
    good: { [CONFIG]: remote(REMOTE.remote) },
  },
  'skill/digest-differs': {
    severity: 'warning',
    what: 'The project and policy pin the same remote skill to different digests.',
    why: 'The one of policy counts, and a text of the other is refused.',
    todo: 'Remove the entry of the project, or take over the digest.',
    bad: { [CONFIG]: remote(REMOTE.remote), [`managed/${CONFIG}`]: remote(OTHER) },
    good: { [CONFIG]: remote(REMOTE.remote), [`managed/${CONFIG}`]: remote(REMOTE.remote) },
  },
  'skill/hides-remote': {
    severity: 'info',
    what: 'A skill or command of a layer has the name of a remote skill.',
    why: 'Only the one of the layer can be called.',
    todo: 'Rename one of the two, or remove one.',
    bad: { ...GOOD, [CONFIG]: remote(REMOTE.remote) },
    good: { ...GOOD, [CONFIG]: remote({ 'tag-notes': REMOTE.remote['release-notes'] }) },
  },
} as const satisfies Record<string, CodeDoc>
