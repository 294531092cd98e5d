import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { laidPath, lay, shelves } from './lay.mjs'

/** Runs the built agentc over one repository of the corpus. */

const BIN = fileURLToPath(new URL('../../dist/agentc.cjs', import.meta.url))
const execute = promisify(execFile)

/**
 * In: the rows of one repository, an empty folder, further flags for agentc. Out: the rows with `findings` and `active`.
 * Findings come from one project that holds every file; where a name stands in it twice, who is active is asked in projects without that.
 */
export async function runRepository(rows, folder, flags = []) {
  const apart = shelves(rows)
  const lists = apart.length === 1 ? [rows] : [rows, ...apart]
  const active = new Set()
  let findings = []
  for (const [i, list] of lists.entries()) {
    const project = join(folder, `project-${i}`)
    lay(list, project)
    const seen = await runProject(project, join(folder, 'home'), flags)
    if (i === 0) findings = seen.findings
    for (const path of seen.active) active.add(path)
  }
  return rows.map((row) => {
    const path = laidPath(row)
    return { ...row, active: active.has(path), findings: findings.filter((finding) => finding.file === path) }
  })
}

/** In: a project folder. Out: every finding of `build --keep-going`, and the paths of the active agents of `list`. */
export async function runProject(project, home, flags) {
  mkdirSync(home, { recursive: true })
  const common = ['--project', project, '--home', home, '--managed-dir', join(home, 'absent'), '--format', 'json', ...flags]
  const { diagnostics } = await agentc(['build', '--keep-going', ...common])
  const entries = await agentc(['list', ...common])
  return {
    findings: diagnostics.map(({ file, code, severity, message, range }) => ({ file, code, severity, message, line: range.start.line })),
    active: entries.filter((entry) => entry.status === 'active' && entry.source === 'project').map((entry) => entry.path),
  }
}

/** In: arguments. Out: the parsed output; throws with stderr unless the exit code is 0 or 1. */
async function agentc(args) {
  const result = await execute(process.execPath, [BIN, ...args], { maxBuffer: 2 ** 28 }).catch((error) => error)
  if (result.code !== undefined && result.code !== 1) throw new Error(`agentc ${args[0]} ended with ${result.code}\n${result.stderr}`)
  return JSON.parse(result.stdout)
}
