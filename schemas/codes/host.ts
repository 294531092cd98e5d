import type { CodeDoc } from './code-doc.ts'

const agent = (fields: string): string =>
  `---\nname: example\ndescription: Reviews changes before they are merged.\n${fields}---\n\nYou read the change set.\n`

/** Codes that are reported only with `--target`: what that program does with the same file. */
export const HOST_CODES = {
  'host/drops-agent': {
    severity: 'warning',
    what: 'The target program does not load this agent.',
    why: 'Claude Code 2.1.332 leaves out the whole agent when a hook stands directly under its event; nothing says so on the screen.',
    todo: 'Write the file in the form that the program documents.',
    bad: agent('hooks:\n  PreToolUse:\n    - command: check-change\n'),
    good: agent('hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: check-change\n'),
  },
  'host/becomes-agent': {
    severity: 'warning',
    what: 'The target program loads a document of a plugin as an agent.',
    why: 'Claude Code loads every Markdown file in the `agents` folder of a plugin; one without readable frontmatter gets every tool.',
    todo: 'Keep documents outside the `agents` folder.',
    bad: { 'plugins/kit/agents/README.md': '# The agents of this plugin\n' },
    good: { 'plugins/kit/README.md': '# The agents of this plugin\n', 'plugins/kit/agents/example.md': agent('') },
  },
  'host/ignores-field': {
    severity: 'info',
    what: 'The target program does not use this field.',
    why: 'The field is accepted without a word and changes nothing there; agentc honours it.',
    todo: 'Do not rely on it in agents that are written for that program.',
    bad: agent('effort: 3\n'),
    good: agent('effort: high\n'),
  },
  'host/widens': {
    severity: 'warning',
    what: 'The target program grants more than this entry says.',
    why: 'Claude Code ignores what is in the brackets of an entry of `tools` and grants the whole tool to a sub-agent.',
    todo: 'Restrict the tool with permissions in settings.json, or with a PreToolUse hook.',
    bad: agent('tools: Read, Bash(git *)\n'),
    good: agent('tools: Read, Bash\n'),
  },
  'host/narrows': {
    severity: 'warning',
    what: 'The target program takes away more than this entry says.',
    why: 'Claude Code ignores what is in the brackets of an entry of `disallowedTools` and removes the whole tool.',
    todo: 'Deny single calls with permissions in settings.json.',
    bad: agent('disallowedTools: Bash(rm *)\n'),
    good: agent('disallowedTools: Bash\n'),
  },
  'host/no-effect': {
    severity: 'info',
    what: 'The entry does nothing in the target program.',
    why: 'The program offers the tool only in other circumstances, or does not know this spelling.',
    todo: 'Read what the message says about it, and remove the entry if it is not meant for another program.',
    bad: agent('tools: Read, Grep, Bash\n'),
    good: agent('tools: Read, Bash\n'),
  },
  'host/needs-trust': {
    severity: 'info',
    what: 'The target program uses this setting of a project only in a folder that a person has trusted.',
    why: 'Claude Code asks about trust when it starts on a terminal, and never with `-p`; until then the setting is ignored.',
    todo: 'Put what has to hold everywhere into the settings of the user.',
    bad: { '.claude/settings.json': '{ "permissions": { "allow": ["WebSearch"] } }\n' },
    good: { 'home/.claude/settings.json': '{ "permissions": { "allow": ["WebSearch"] } }\n' },
  },
  'host/ignores-setting': {
    severity: 'warning',
    what: 'The target program ignores this setting where it stands.',
    why: 'Claude Code takes some modes from no project, and shared settings only from the working directory.',
    todo: 'Put it into settings that the program reads: those of the user, or of the folder in which it is started.',
    bad: { '.claude/settings.json': '{ "permissions": { "defaultMode": "bypassPermissions" } }\n' },
    good: { 'home/.claude/settings.json': '{ "permissions": { "defaultMode": "bypassPermissions" } }\n' },
  },
} as const satisfies Record<string, CodeDoc>
