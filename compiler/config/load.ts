import type { SourceFile } from '../source-file.ts'
import type { ConfigReading } from './limits.ts'

/** As `readConfig`, whose code is loaded only if there is a file to read. */
export async function loadConfig(files: readonly SourceFile[]): Promise<ConfigReading> {
  return files.length === 0 ? { limits: {}, diagnostics: [] } : (await import('./limits.ts')).readConfig(files)
}
