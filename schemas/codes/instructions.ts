import type { CodeDoc } from './code-doc.ts'

const TEXT = '# How we work\n\n- Run the tests before you say that something works.\n'
const GOOD = { 'CLAUDE.md': TEXT }
const chain = (length: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length }, (_, at) => [at === 0 ? 'CLAUDE.md' : `docs/${at}.md`, `${TEXT}\n@${at === 0 ? 'docs/' : ''}${at + 1}.md\n`]),
  )

/** About CLAUDE.md and what belongs to it: AGENTS.md, rules, and what they import. */
export const INSTRUCTION_CODES = {
  'instructions/unreadable': {
    severity: 'warning',
    what: 'A file with instructions for agents is there and cannot be read.',
    why: 'Agents work without what stands in it.',
    todo: 'Let it be a regular text file that the user who builds may read, or remove it.',
    bad: { 'CLAUDE.md/notes.txt': 'A folder where a file is expected.\n' },
    good: GOOD,
  },
  'instructions/too-large': {
    severity: 'warning',
    what: 'A file with instructions for agents is larger than 4 MiB.',
    why: 'It is left out whole, as Claude Code does; with it hardly anything else would fit into a conversation.',
    todo: 'Keep what every agent has to know, and let agents read the rest where they need it.',
    bad: { 'CLAUDE.md': { size: 4_194_305 } },
    good: GOOD,
  },
  'instructions/import-missing': {
    severity: 'warning',
    what: 'Instructions import a file that is not there, or is no text file.',
    why: 'Agents work without it; Claude Code says nothing about it.',
    todo: 'Write the path relative to the file that imports it, with a backslash before each blank. A path between backticks is no import.',
    bad: { 'CLAUDE.md': `${TEXT}\n@docs/nowhere.md\n` },
    good: { 'CLAUDE.md': `${TEXT}\n@docs/style.md, and never \`@docs/nowhere.md\`\n`, 'docs/style.md': 'Be brief.\n' },
  },
  'instructions/import-limit': {
    severity: 'warning',
    what: 'Imports are nested deeper than four files, or there are more than a thousand of them.',
    why: 'What lies beyond is not read, as in Claude Code.',
    todo: 'Import it in a file nearer to CLAUDE.md, and only what every agent has to know.',
    bad: { ...chain(5), 'docs/5.md': TEXT },
    good: { ...chain(4), 'docs/4.md': TEXT },
  },
  'instructions/import-cycle': {
    severity: 'warning',
    what: 'Files with instructions import each other in a circle.',
    why: 'Each of them is read once; the import that closes the circle does nothing.',
    todo: 'Remove one of the imports.',
    bad: { 'CLAUDE.md': `${TEXT}\n@docs/style.md\n`, 'docs/style.md': 'Be brief.\n\n@../CLAUDE.md\n' },
    good: { 'CLAUDE.md': `${TEXT}\n@docs/style.md\n`, 'docs/style.md': 'Be brief.\n' },
  },
  'instructions/import-outside': {
    severity: 'warning',
    what: 'A file of a project imports, or is a link to, something outside the project.',
    why: 'A repository that was only looked at could bring any file of the machine before the model, so this is not followed; Claude Code asks first.',
    todo: 'Put the text into the project, or have `~/.claude/CLAUDE.md` import it, which only the person writes.',
    bad: { 'CLAUDE.md': `${TEXT}\n@~/notes.md\n`, 'home/notes.md': 'Mine.\n' },
    good: { 'home/.claude/CLAUDE.md': `${TEXT}\n@~/notes.md\n`, 'home/notes.md': 'Mine.\n' },
  },
  'instructions/import-protected': {
    severity: 'warning',
    what: 'Instructions import, or are a link to, a file of git or a file of secrets.',
    why: 'Every agent would pass on to the model what stands in it, so it is not followed.',
    todo: 'Remove the import.',
    bad: { 'CLAUDE.md': `${TEXT}\n@.env\n`, '.env': 'MODE=test\n' },
    good: { 'CLAUDE.md': `${TEXT}\n@.env.example\n`, '.env.example': 'MODE=\n' },
  },
  'instructions/rule-frontmatter': {
    severity: 'warning',
    what: 'The frontmatter of a rule cannot be read.',
    why: 'The rule then holds for all files, as in Claude Code, whatever its `paths` were to say.',
    todo: 'Write `paths:` with a list of patterns below it, or remove the frontmatter.',
    bad: { '.claude/rules/api.md': '---\npaths: "src/**" only\n---\n\nCheck every input.\n' },
    good: { '.claude/rules/api.md': '---\ndescription: About our API.\n---\n\nCheck every input.\n' },
  },
  'instructions/path-rule': {
    severity: 'info',
    what: 'A rule is for some files only.',
    why: 'Claude Code loads it when such a file is touched; agentc loads no rules while an agent is at work, so no agent gets it.',
    todo: 'Remove `paths` if all agents are to have the rule, or leave it to Claude Code.',
    bad: { '.claude/rules/api.md': '---\npaths:\n  - "src/api/**"\n---\n\nCheck every input.\n' },
    good: { '.claude/rules/api.md': 'Check every input.\n' },
  },
  'instructions/agents-md': {
    severity: 'info',
    what: 'An AGENTS.md lies in a project that has a CLAUDE.md.',
    why: 'Only CLAUDE.md is read then, as in Claude Code.',
    todo: 'Write `@AGENTS.md` into the CLAUDE.md beside it to have both, or leave it to the programs it was written for.',
    bad: { 'CLAUDE.md': TEXT, 'AGENTS.md': 'Be brief.\n' },
    good: { 'CLAUDE.md': `@AGENTS.md\n\n${TEXT}`, 'AGENTS.md': 'Be brief.\n' },
  },
  'instructions/above-project': {
    severity: 'info',
    what: 'A CLAUDE.md lies in a folder above the project.',
    why: 'A project is what lies in its repository, or outside one in the working directory, so its agents do not get it; Claude Code reads it.',
    todo: 'Put what holds for all your projects into `~/.claude/CLAUDE.md`, and what this one needs into the project.',
    bad: { '../CLAUDE.md': TEXT },
    good: GOOD,
  },
} as const satisfies Record<string, CodeDoc>
