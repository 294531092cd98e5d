import type { Diagnostic } from '../../schemas/diagnostic.ts'
import * as say from '../findings/yaml.ts'
import type { SourceFile } from '../source-file.ts'
import { readJson } from './json-document.ts'
import { typeOf, type MapNode } from './node.ts'

/** Reads a value of `--agents`: one JSON object, agent name to fields. */
export function readAgentsFlag(file: SourceFile): { root?: MapNode; diagnostics: Diagnostic[] } {
  const result = readJson(file.text)
  if ('fault' in result) return { diagnostics: [say.invalidJson(file, result.fault.range, result.fault.message)] }
  const { root } = result
  if (root.kind === 'map') return { root, diagnostics: [] }
  return { diagnostics: [say.invalidJson(file, root.range, `it is ${typeOf(root)}, not an object`)] }
}
