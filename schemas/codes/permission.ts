import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

const rules = (list: 'allow' | 'ask' | 'deny', ...texts: unknown[]) => ({
  '.claude/settings.json': `${JSON.stringify({ permissions: { [list]: texts } }, null, 2)}\n`,
})

export const PERMISSION_CODES = {
  'permission/bypass': {
    severity: 'info',
    what: 'The agent asks for the mode `bypassPermissions`.',
    why: 'Nobody is asked before it runs commands and changes files; only deny rules still hold.',
    todo: 'If that is not needed, use `acceptEdits`, or allow single commands in settings.json.',
    bad: agent('permissionMode: bypassPermissions'),
    good: agent('permissionMode: acceptEdits'),
  },
  'permission/plan-with-write': {
    severity: 'info',
    what: 'The agent works in plan mode, and its list names tools that write.',
    why: 'In plan mode nothing is changed, so every call of these tools is refused.',
    todo: 'Remove them from the list, or choose another mode.',
    bad: agent('tools: Read, Edit', 'permissionMode: plan'),
    good: agent('tools: Read, Grep', 'permissionMode: plan'),
  },
  'permission/malformed': {
    severity: 'warning',
    what: 'A rule under `allow` is not written as a rule.',
    why: 'It is left out and allows nothing, so the person is asked although it looks as if they would not be.',
    todo: 'Write `Tool`, `Tool(what it is about)` or `mcp__server__tool`.',
    bad: rules('allow', 'Bash(git status:*'),
    good: rules('allow', 'Bash(git status:*)'),
  },
  'permission/lost-restriction': {
    severity: 'error',
    what: 'A rule that is to restrict something is malformed or names a tool that does not exist.',
    why: 'It is left out, so what it should deny or have asked about goes through.',
    todo: 'Correct the rule: `Tool`, `Tool(what it is about)` or `mcp__server__tool`.',
    bad: rules('deny', 'bash(git push:*)'),
    good: rules('deny', 'Bash(git push:*)'),
  },
  'permission/never-matches': {
    severity: 'warning',
    what: 'A rule is about no call at all, or Claude Code never consults it.',
    why: 'It looks as if something were decided, and nothing is.',
    todo: 'Write the rule in the form that the message names.',
    bad: rules('deny', 'Write(src/**)'),
    good: rules('deny', 'Edit(src/**)'),
  },
  'permission/exception': {
    severity: 'warning',
    what: 'A rule that denies or asks begins its path with `!`, which is to take paths out of the others.',
    why: 'agentc knows no exceptions, so the other rules hold for these paths too.',
    todo: 'Write the other rules so that they leave these paths out.',
    bad: rules('deny', 'Read(docs/**)', 'Read(!docs/index.md)'),
    good: rules('deny', 'Read(docs/private/**)'),
  },
  'permission/anchor': {
    severity: 'warning',
    what: 'A path begins with `/` in settings whose folder is another one on every machine.',
    why: 'The manifest cannot name that folder: a deny rule refuses every call it could be about, an allow rule allows nothing.',
    todo: 'Write the path from the root with `//`, from the home folder with `~/`, or from the working directory without a slash.',
    bad: { 'managed/managed-settings.json': `${JSON.stringify({ permissions: { deny: ['Read(/keys/**)'] } })}\n` },
    good: { 'managed/managed-settings.json': `${JSON.stringify({ permissions: { deny: ['Read(//etc/keys/**)'] } })}\n` },
  },
  'permission/unknown-tool': {
    severity: 'warning',
    what: 'A rule names a tool that neither agentc nor Claude Code has.',
    why: 'It is about nothing.',
    todo: 'Correct the name, or remove the rule.',
    bad: rules('allow', 'Shell(ls:*)'),
    good: rules('allow', 'Bash(ls:*)'),
  },
  'permission/dead-allow': {
    severity: 'info',
    what: 'A rule under `allow` allows only what another rule denies.',
    why: 'A deny rule of any settings is stronger than an allow rule of any other.',
    todo: 'Remove one of the two rules.',
    bad: {
      '.claude/settings.json': '{ "permissions": { "allow": ["Bash(git push:*)"] } }\n',
      'home/.claude/settings.json': '{ "permissions": { "deny": ["Bash(git:*)"] } }\n',
    },
    good: {
      '.claude/settings.json': '{ "permissions": { "allow": ["Bash(npm test)"] } }\n',
      'home/.claude/settings.json': '{ "permissions": { "deny": ["Bash(git:*)"] } }\n',
    },
  },
  'permission/in-no-view': {
    severity: 'info',
    what: 'A rule is about a tool that no agent has.',
    why: 'It is about nothing.',
    todo: 'Give the tool to an agent, or remove the rule.',
    bad: { ...rules('deny', 'Write'), 'home/.claude/settings.json': '{ "permissions": { "ask": ["Write"] } }\n' },
    good: rules('ask', 'Write'),
  },
} as const satisfies Record<string, CodeDoc>
