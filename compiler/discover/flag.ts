import { basename, dirname, join, resolve } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { Origin } from '../../schemas/source.ts'
import { unreadableFlag } from '../findings/file.ts'
import { masked } from '../secret/mask.ts'
import type { SourceFile } from '../source-file.ts'
import { readSource } from './read.ts'
import { pathInside } from './path.ts'
import { look, realOr, type Search } from './search.ts'

/** A flag whose value is JSON or the path of a file with JSON. */
interface Flag {
  name: `--${string}`
  kind: SourceFile['kind']
}

const AGENTS: Flag = { name: '--agents', kind: 'agent' }

/**
 * In: the value of `--agents` or of another such flag. Out: its text, to be parsed later: the value itself if it starts like JSON, else the file
 * it names relative to the working directory (claude-code-agents.md 3.5). A file that cannot be had is an error.
 */
export function flagSources(value: string, cwd: string, projectRoot: string, search: Search, { name, kind }: Flag = AGENTS): SourceFile[] {
  if (/^[{[]/.test(value.trimStart())) {
    const { text, secrets } = masked(value.replace(/^\ufeff/, ''))
    const origin: Origin = { source: 'flag', path: name }
    return [{ kind, form: 'json', origin, text, hash: sha256(value), ...(secrets.length > 0 && { secrets }) }]
  }
  const path = resolve(realOr(search, cwd), value)
  const origin = flagOrigin(value, name, path, projectRoot, search)
  const stat = value.trim() === '' ? 'it is empty' : look(search, path)
  if (typeof stat === 'object' && stat.kind === 'file') return readSource({ path, stat, origin }, 'json', search, kind)
  const reason =
    stat === undefined ? 'ENOENT' : typeof stat === 'string' ? stat : stat.kind === 'folder' ? 'EISDIR' : 'it is not a regular file'
  search.diagnostics.push(unreadableFlag(origin, reason))
  return []
}

function flagOrigin(value: string, name: string, path: string, projectRoot: string, search: Search): Origin {
  if (value.trim() === '') return { source: 'flag', path: name }
  const real = join(realOr(search, dirname(path)), basename(path))
  return { source: 'flag', path: pathInside(projectRoot, real) || `<outside>/${basename(path)}` }
}
