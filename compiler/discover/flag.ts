import { basename, dirname, join, resolve } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { Origin } from '../../schemas/source.ts'
import { unreadableFlag } from '../findings/file.ts'
import type { SourceFile } from '../source-file.ts'
import { readSource } from './read.ts'
import { pathInside } from './path.ts'
import { look, noteAbsent, realOr, type Search } from './search.ts'

/**
 * In: the value of `--agents`. Out: its text, to be parsed later: the value itself if it starts like JSON, else the file
 * it names relative to the working directory (claude-code-agents.md 3.5). A file that cannot be had is an error.
 */
export function flagSources(value: string, cwd: string, projectRoot: string, search: Search): SourceFile[] {
  if (/^[{[]/.test(value.trimStart())) {
    const text = value.replace(/^\ufeff/, '')
    return [{ kind: 'agent', form: 'json', origin: { source: 'flag', path: '--agents' }, text, hash: sha256(value) }]
  }
  const path = resolve(realOr(search, cwd), value)
  const origin = flagOrigin(value, path, projectRoot, search)
  const stat = value.trim() === '' ? 'it is empty' : look(search, path)
  if (typeof stat === 'object' && stat.kind === 'file') return readSource({ path, stat, origin }, 'json', search)
  if (stat === undefined) noteAbsent(search, path)
  const reason =
    stat === undefined ? 'ENOENT' : typeof stat === 'string' ? stat : stat.kind === 'folder' ? 'EISDIR' : 'it is not a regular file'
  search.diagnostics.push(unreadableFlag(origin, reason))
  return []
}

function flagOrigin(value: string, path: string, projectRoot: string, search: Search): Origin {
  if (value.trim() === '') return { source: 'flag', path: '--agents' }
  const real = join(realOr(search, dirname(path)), basename(path))
  return { source: 'flag', path: pathInside(projectRoot, real) || `<outside>/${basename(path)}` }
}
