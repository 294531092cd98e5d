import type { Origin } from '../../schemas/source.ts'

/**
 * A file as it is shown: project files relative to the project's root, the others behind their layer.
 * Never an absolute path, so that output is the same on every machine.
 */
export function locationOf({ source, path, plugin }: Origin): string {
  if (source === 'project' || source === 'flag') return path
  if (source === 'user') return path.startsWith('../') ? `~/${path.slice(3)}` : `~/.claude/${path}`
  if (source === 'plugin') return `<plugin ${plugin ?? '?'}>/${path}`
  return source === 'policy' ? `<managed>/${path}` : `<builtin>/${path}`
}
