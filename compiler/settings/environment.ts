import { secretInEnv } from '../findings/settings.ts'
import { entryOf, type MapNode } from '../parse/node.ts'
import { covered as withoutSecrets, isMasked, isNamedSecret, isOpen, referenceFor } from '../secret/named.ts'
import type { SourceFile } from '../source-file.ts'
import type { Written } from './settings.ts'
import { entriesOf, refuse, type ValueReader } from './value.ts'

/** Reads `env`: name to text; numbers and booleans count as their text. In place of a secret stands `${NAME}`. */
export const environment: ValueReader<Map<string, Written<string>>> = (entry, reading) => {
  if (entry.value.kind !== 'map') return refuse(entry, reading, 'a map of variables')
  const variables = new Map<string, Written<string>>()
  for (const item of entriesOf(entry.value, reading).values()) {
    const { key, value } = item
    if (value.kind !== 'scalar' || value.value === null) refuse({ ...item, key: `env.${key}` }, reading, 'a text')
    else if (isNamedSecret(key, value.value)) {
      if (!isMasked(value.value)) reading.found.push(secretInEnv(reading.file, item.keyRange, key))
      variables.set(key, { value: referenceFor(key), file: reading.file, range: value.range })
    } else variables.set(key, { value: String(value.value), file: reading.file, range: value.range })
  }
  return variables
}

/** The file with every secret of its `env` covered, so that no finding can show one; places stay what they are. */
export function covered(file: SourceFile, root: MapNode): SourceFile {
  const env = entryOf(root, 'env')?.value
  if (env?.kind !== 'map') return file
  const ranges = env.entries.filter(({ key, value }) => value.kind === 'scalar' && isOpen(key, value.value)).map(({ value }) => value.range)
  return ranges.length === 0 ? file : { ...file, text: withoutSecrets(file.text, ranges) }
}
