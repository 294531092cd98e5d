import type { CodeDoc } from './code-doc.ts'

const FILE = '.claude/settings.json'
const MANAGED = 'managed/managed-settings.json'
const settings = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const PROJECT_INSTRUCTIONS = { pluginConfigs: { 'cc-plugin-agents-md@builtin': { options: { instructionFiles: 'claude-md' } } } }
const GOOD = { [FILE]: settings({ permissions: { deny: ['Bash(git push:*)'] } }) }

export const SETTINGS_CODES = {
  'settings/unreadable': {
    severity: 'error',
    what: 'A settings file is there and cannot be read.',
    why: 'It may hold rules that deny something, so no agent is run as if it were not there.',
    todo: 'Let it be a regular file that the user who builds may read, or remove it.',
    bad: { '.claude/settings.json/notes.txt': 'A folder where a file is expected.\n' },
    good: GOOD,
  },
  'settings/invalid-json': {
    severity: 'error',
    what: 'A settings file is not a JSON object.',
    why: 'None of its settings count, and it may hold rules that deny something, so no agent is run.',
    todo: 'Write strict JSON: names in quotes, no comments, no comma after the last entry.',
    bad: { [FILE]: '{ "permissions": { "deny": ["Bash(git push:*)"], } }\n' },
    good: GOOD,
  },
  'settings/duplicate-key': {
    severity: 'error',
    what: 'A key stands twice in the same place of a settings file.',
    why: 'Only the last one counts, so the rules below the first are lost.',
    todo: 'Write everything under one key.',
    bad: { [FILE]: '{ "permissions": { "deny": ["WebFetch"], "deny": ["WebSearch"] } }\n' },
    good: { [FILE]: '{ "permissions": { "deny": ["WebFetch", "WebSearch"] } }\n' },
  },
  'settings/lost-restriction': {
    severity: 'error',
    what: 'A key that is to restrict something is misspelt or has a value of the wrong type.',
    why: 'Nothing is restricted, and no program would say so.',
    todo: 'Write the key as it is documented, and a list of texts under `deny` and `ask`.',
    bad: { [FILE]: settings({ permissions: { denny: ['Bash(git push:*)'] } }) },
    good: GOOD,
  },
  'settings/misspelt-key': {
    severity: 'warning',
    what: 'A key of `permissions` is nearly that of a setting.',
    why: 'What stands below it does nothing.',
    todo: 'Write the key as it is documented.',
    bad: { [FILE]: settings({ permissions: { allows: ['Bash(git status:*)'] } }) },
    good: { [FILE]: settings({ permissions: { allow: ['Bash(git status:*)'] } }) },
  },
  'settings/invalid-value': {
    severity: 'warning',
    what: 'A setting has a value of the wrong type, or one that does not exist.',
    why: 'The setting is ignored.',
    todo: 'Write a value as the message says.',
    bad: { [FILE]: settings({ permissions: { defaultMode: 'readOnly' } }) },
    good: { [FILE]: settings({ permissions: { defaultMode: 'plan' } }) },
  },
  'settings/managed-only': {
    severity: 'warning',
    what: 'A switch that counts in managed settings only stands in other settings.',
    why: 'It does nothing there, though it looks as if it protected something.',
    todo: 'Remove it, or have it set in the managed settings of the machine.',
    bad: { [FILE]: settings({ allowManagedHooksOnly: true }) },
    good: { [MANAGED]: settings({ allowManagedHooksOnly: true }) },
  },
  'settings/not-in-project': {
    severity: 'warning',
    what: 'A setting that is taken from no project stands in settings of a project.',
    why: 'It does nothing there, in Claude Code neither.',
    todo: 'Put it into the settings of the person, `~/.claude/settings.json`, or give it with `--settings`.',
    bad: { [FILE]: settings(PROJECT_INSTRUCTIONS) },
    good: { 'home/.claude/settings.json': settings(PROJECT_INSTRUCTIONS) },
  },
  'settings/switched-off': {
    severity: 'info',
    what: 'Settings do not count, because a switch of other settings says so.',
    why: 'Rules, hooks or a mode that stand in this file have no effect on any run.',
    todo: 'Nothing, if that is meant; the finding names the switch and where it is set.',
    bad: {
      [FILE]: settings({ permissions: { allow: ['WebSearch'] } }),
      [MANAGED]: settings({ allowManagedPermissionRulesOnly: true }),
    },
    good: {
      [FILE]: settings({ permissions: { deny: ['WebSearch'] } }),
      [MANAGED]: settings({ allowManagedPermissionRulesOnly: true }),
    },
  },
  'settings/secret-env': {
    severity: 'warning',
    what: 'A variable under `env` has the name of a secret and stands there as plain text.',
    why: 'A manifest is copied and committed, so the value is not written into it; a run takes it from its own environment.',
    todo: 'Set the variable where the agents are run, or write `${NAME}` as its value.',
    bad: { [FILE]: settings({ env: { DEPLOY_TOKEN: 'not-for-others' } }) },
    good: { [FILE]: settings({ env: { DEPLOY_TOKEN: '${DEPLOY_TOKEN}', CI: 'true' } }) },
  },
} as const satisfies Record<string, CodeDoc>
