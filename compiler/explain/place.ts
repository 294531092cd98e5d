import type { PlacedOrigin } from '../../schemas/shapes/permission.ts'
import type { Origin, Range } from '../../schemas/source.ts'
import { locationOf } from '../report/location.ts'
import { originAt, type SourceFile } from '../source-file.ts'

/** `.claude/agents/reader.md:3:7`, as terminals and editors make a link of it. */
export function shownPlace(origin: PlacedOrigin): string {
  return `${locationOf(origin as Origin)}:${origin.line}:${origin.column}`
}

/** The same of a part of a file. */
export function placeText(file: SourceFile, range: Range): string {
  return shownPlace(originAt(file, range))
}
