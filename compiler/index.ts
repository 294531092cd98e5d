/** The public surface of the compiler. */
export { compile, broken, type Compilation } from './compile.ts'
export type { CompileOptions } from './options.ts'
export { manifestText } from './emit/manifest-of.ts'
export { jsonReport } from './report/json.ts'
export { readManifest, ManifestFault, type OpenManifest } from '../schemas/manifest.ts'
export { CODES, type Code } from '../schemas/codes.ts'
export type { Diagnostic } from '../schemas/diagnostic.ts'
export type { Manifest, ManifestAgent, ManifestHeader } from '../schemas/shapes/manifest.ts'
