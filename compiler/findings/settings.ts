import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about settings files; those about single rules are in `permission.ts`. */

/** In: what was found when a settings file was looked for. A file that is there and gives nothing may hold deny rules, so it is an error. */
export function settingsUnreadable(found: Diagnostic): Diagnostic {
  if (found.severity !== 'error') return found
  const { path } = found.at.origin
  const reason = found.code === 'file/too-large' ? 'is larger than 1 MiB' : 'cannot be read'
  return finding(
    'settings/unreadable',
    found.at,
    `The settings ${path} ${reason}, so no agent is run without the rules that may be in it.`,
    {
      help: 'Let it be a file of at most 1 MiB that the user who builds may read, or remove it.',
    },
  )
}

export function invalidJson(file: SourceFile, at: Range, reason: string): Diagnostic {
  const message = `${file.origin.path} is not a JSON object (${reason}), so no agent is run without the rules that may be in it.`
  return finding('settings/invalid-json', placeIn(file, at), message, {
    help: 'Write strict JSON: no comments, no comma after the last entry.',
  })
}

export function duplicateKey(file: SourceFile, at: Range, key: string, first: Range): Diagnostic {
  return finding('settings/duplicate-key', placeIn(file, at), `The key \`${key}\` stands here a second time, and only this one counts.`, {
    help: 'Write both values under one key.',
    related: [{ message: 'the first one', at: placeIn(file, first) }],
  })
}

/** In: `expected` as the middle of a sentence: `true or false`. */
export function invalidValue(file: SourceFile, at: Range, key: string, expected: string): Diagnostic {
  return finding('settings/invalid-value', placeIn(file, at), `The value of \`${key}\` is not ${expected}, so it is ignored.`, {
    help: `Write ${expected}, or remove the key.`,
  })
}

/** The same for a key that is there to restrict. */
export function lostValue(file: SourceFile, at: Range, key: string, expected: string): Diagnostic {
  const message = `The value of \`${key}\` is not ${expected}, so what it was to restrict is not restricted.`
  return finding('settings/lost-restriction', placeIn(file, at), message, { help: `Write ${expected}.` })
}

export function misspeltKey(file: SourceFile, at: Range, key: string, meant: string, restricts: boolean): Diagnostic {
  const effect = restricts ? 'what stands below it restricts nothing' : 'it does nothing'
  return finding(
    restricts ? 'settings/lost-restriction' : 'settings/misspelt-key',
    placeIn(file, at),
    `\`${key}\` is not a key of settings, so ${effect}.`,
    {
      help: `Did you mean \`${meant}\`?`,
      fix: { title: `Rename it to \`${meant}\``, edits: [{ range: at, text: JSON.stringify(meant) }] },
    },
  )
}

export function managedOnly(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding('settings/managed-only', placeIn(file, at), `\`${key}\` counts in managed settings only, so it changes nothing here.`, {
    help: 'Remove it, or ask whoever manages this machine to set it.',
  })
}

export function notInProject(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding('settings/not-in-project', placeIn(file, at), `\`${key}\` is taken from no project, so it changes nothing here.`, {
    help: 'Put it into ~/.claude/settings.json, or give it with --settings.',
  })
}

/** In: what does not count, as the beginning of a sentence, and the switch that decides. */
export function switchedOff(file: SourceFile, at: Range, what: string, by: { key: string; file: SourceFile; range: Range }): Diagnostic {
  const message = `${what} of this file do not count, because \`${by.key}\` is set in ${by.file.origin.path}.`
  return finding('settings/switched-off', placeIn(file, at), message, {
    help: 'Remove them if that is for good.',
    related: [{ message: 'the switch', at: placeIn(by.file, by.range) }],
  })
}

export function modeDisabled(file: SourceFile, at: Range, by: { key: string; file: SourceFile; range: Range }): Diagnostic {
  const message = `The mode \`bypassPermissions\` does not count, because \`${by.key}\` is set in ${by.file.origin.path}.`
  return finding('settings/switched-off', placeIn(file, at), message, {
    help: 'Choose another `defaultMode`.',
    related: [{ message: 'the switch', at: placeIn(by.file, by.range) }],
  })
}

/** In: an agent or a part of it, as the beginning of a sentence. */
export function agentSwitchedOff(
  file: SourceFile,
  at: Range,
  what: string,
  by: { key: string; file: SourceFile; range: Range },
): Diagnostic {
  const message = `${what} does not count, because \`${by.key}\` is set in ${by.file.origin.path}.`
  return finding('settings/switched-off', placeIn(file, at), message, {
    help: 'Ask whoever set it, or do without.',
    related: [{ message: 'the switch', at: placeIn(by.file, by.range) }],
  })
}

/** The text of the file does not hold the value any more. */
export function secretInEnv(file: SourceFile, at: Range, name: string): Diagnostic {
  const message = `The value of \`${name}\` is not written into the manifest, because its name is that of a secret; a run takes it from its own environment.`
  return finding('settings/secret-env', placeIn(file, at), message, {
    help: `Set ${name} where the agents are run.`,
  })
}

export function needsTrust(file: SourceFile, at: Range, host: string, what: string): Diagnostic {
  return finding(
    'host/needs-trust',
    placeIn(file, at),
    `In ${host} \`${what}\` of a project counts only after a person has trusted the folder.`,
    {
      help: 'Put it into the settings of the user if it is to hold everywhere, in `-p` too.',
    },
  )
}

export function ignoresSetting(file: SourceFile, at: Range, host: string, what: string, why: string): Diagnostic {
  return finding('host/ignores-setting', placeIn(file, at), `${host} ignores ${what}, because ${why}.`, {
    help: 'Put it into the settings that this program reads.',
  })
}
