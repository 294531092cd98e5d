import { type Face, lacking } from './face.ts'
import { resultObject } from './result.ts'

/** One JSON object on standard output, when the run has ended. */
export function jsonFace(): Face {
  return (event) => {
    if (event.type === 'result') return [{ to: 'stdout', text: `${JSON.stringify(resultObject(event))}\n` }]
    if (event.type === 'system' && (event.subtype === 'init' || event.subtype === 'notice')) return lacking(event)
    return []
  }
}
