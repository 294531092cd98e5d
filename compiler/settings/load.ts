import type { Profile } from '../../schemas/profile.ts'
import type { SourceFile } from '../source-file.ts'
import { noSettings, type SettingsReading } from './settings.ts'

/** As `readSettings`, whose code is loaded only if there is a file to read. */
export async function loadSettings(files: readonly SourceFile[], profile: Profile, folder: string): Promise<SettingsReading> {
  if (files.length === 0) return { settings: noSettings(), files, diagnostics: [] }
  const { readSettings } = await import('./read.ts')
  return readSettings(files, profile, folder)
}
