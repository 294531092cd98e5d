import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about `agentc.config.json`. A limit that is not understood would be no limit, so these are errors. */

export function configNotJson(file: SourceFile, at: Range, reason: string): Diagnostic {
  const message = `${file.origin.path} is not a JSON object (${reason}), so no agent is run without the limits that may be in it.`
  return finding('config/invalid-json', placeIn(file, at), message, {
    help: 'Write strict JSON: no comments, no comma after the last entry.',
  })
}

/** In: `expected` as the middle of a sentence: `a whole number above 0`. */
export function invalidLimit(file: SourceFile, at: Range, key: string, expected: string): Diagnostic {
  return finding('config/invalid-limit', placeIn(file, at), `\`${key}\` is not ${expected}, so runs would go on without this limit.`, {
    help: `Write ${expected}, or remove the key.`,
  })
}

export function invalidSandbox(file: SourceFile, at: Range): Diagnostic {
  return finding('config/invalid-sandbox', placeIn(file, at), '`sandbox` is neither `required` nor `auto`, so nothing is asked for.', {
    help: 'Write `required`, or remove the key. `agentc run --sandbox off` leaves the walls out, for one run.',
  })
}

export function unknownConfigKey(
  file: SourceFile,
  at: Range,
  key: string,
  meant: string | undefined,
  known: readonly string[],
): Diagnostic {
  return finding('config/unknown-key', placeIn(file, at), `\`${key}\` is not a key of agentc.config.json here, so it does nothing.`, {
    help: meant === undefined ? `Keys here are ${known.join(', ')}.` : `Did you mean \`${meant}\`?`,
    ...(meant !== undefined && { fix: { title: `Rename it to \`${meant}\``, edits: [{ range: at, text: JSON.stringify(meant) }] } }),
  })
}

export function aboveMost(
  file: SourceFile,
  at: Range,
  key: string,
  value: number,
  most: number,
  by: { file: SourceFile; range: Range },
): Diagnostic {
  const message = `\`${key}\` is ${value}, and policy gives a run at most ${most}, so ${most} counts.`
  return finding('config/above-policy', placeIn(file, at), message, {
    help: `Write ${most} or less.`,
    related: [{ message: 'the limit of policy', at: placeIn(by.file, by.range) }],
  })
}
