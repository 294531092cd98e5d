import type { SourceFile } from '../source-file.ts'
import type { ConfigReading } from './config.ts'

/** As `readConfig`, whose code is loaded only if there is a file to read. */
export async function loadConfig(files: readonly SourceFile[]): Promise<ConfigReading> {
  return files.length === 0 ? { limits: {}, remoteSkills: new Map(), diagnostics: [] } : (await import('./config.ts')).readConfig(files)
}
