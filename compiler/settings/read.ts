import type { Profile } from '../../schemas/profile.ts'
import type { SourceFile } from '../source-file.ts'
import { checkSettings } from './check.ts'
import { readFile } from './file.ts'
import { checkProject, isRead, notRead } from './host.ts'
import { mergeSettings } from './merge.ts'
import type { SettingsReading } from './settings.ts'

/**
 * Understands settings files and merges them. In: the files, lowest precedence first, and the working directory relative to the project's
 * root, which decides what a host other than agentc reads. Every value keeps the place it was written at.
 */
export function readSettings(files: readonly SourceFile[], profile: Profile, folder = ''): SettingsReading {
  const all = files.map((file) => readFile(file, profile))
  const read = all.filter((file) => isRead(file, folder, profile))
  const settings = mergeSettings(read, profile)
  const unread = all.filter((file) => !read.includes(file)).map((file) => notRead(file, profile))
  return {
    settings,
    files: all.map(({ file }) => file),
    diagnostics: [...read.flatMap((file) => checkProject(file, profile)), ...unread, ...checkSettings(read, settings, profile)],
  }
}
