import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compile } from '../../compiler/compile.ts'
import { positionOf } from '../../compiler/position.ts'
import { copyOf, optionsFor, ROOT } from './tree.ts'

/** Small projects with one fault each; its `INDEX.md` says on which line each fault is. */
export const FAULTS = join(ROOT, 'test/faults')

export interface Fault {
  id: string
  folder: string
  title: string
  line: number | undefined
  /** The base names of the files that have it. */
  files: readonly string[]
}

export const faults: readonly Fault[] = readFileSync(join(FAULTS, 'INDEX.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((row) => {
    const [id, folder, title, line, files] = row.slice(2, -2).split(' | ') as [string, string, string, string, string]
    return { id, folder, title, line: line === '-' ? undefined : Number(line), files: files.split(', ').map((file) => basename(file)) }
  })

/** What a compilation finds in the project of a fault. */
export async function findingsIn({ folder }: Fault): Promise<{ severity: string; code: string; line: number; file: string }[]> {
  const project = copyOf(join(FAULTS, folder))
  const pluginDirs = existsSync(join(project, '.claude-plugin')) ? [project] : []
  const { diagnostics } = await compile(optionsFor(project, { cwd: project, pluginDirs }))
  return diagnostics.map(({ severity, code, at }) => {
    return { severity, code, line: positionOf(at.text, at.range[0]).line, file: basename(at.origin.path) }
  })
}
