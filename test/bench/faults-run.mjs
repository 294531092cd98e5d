import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs each tool over one faulty project. A tool is `(project, space) => { findings, checked? }`; a finding is
 * `{ severity: 'error' | 'warning' | 'info', file?, line?, message }` with the bare file name; `checked` lists the files it says it read.
 */
const execute = promisify(execFile)
const node = process.execPath

/** In: the agentc bin and the bins of the peers. Out: [name, tool] in the order of the table's columns. */
export function tools(bin, { cclint, claudelint }) {
  return [
    ['agentc', (project, space) => agentc(bin, project, space)],
    ['cclint', (project, space) => cclintOver(cclint, project, space)],
    ['claudelint', (project, space) => claudelintOver(claudelint, project, space)],
  ]
}

async function agentc(bin, project, { env, home, absent, dir }) {
  const plugin = existsSync(join(project, '.claude-plugin'))
  const where = plugin ? ['--project', dir, '--plugin-dir', project] : ['--project', project]
  const args = ['build', '--keep-going', ...where, '--out', join(dir, 'out.json'), '--home', home, '--managed-dir', absent]
  const { diagnostics } = JSON.parse(await output([node, bin, ...args, '--format', 'json'], project, env))
  const findings = diagnostics.map(({ severity, file, range, message }) => ({
    severity,
    file: basename(file),
    line: range.start.line,
    message,
  }))
  return { findings }
}

/** cclint gives a line only inside the text of a YAML error. It writes JSON to a file, as it loses output on a slow pipe (peers.md 0.5). */
async function cclintOver(cclint, project, { env, dir }) {
  const report = join(dir, 'cclint.json')
  rmSync(report, { force: true })
  await output([...cclint, '--root', project, '-f', 'json', '-o', report], project, env)
  const { results } = JSON.parse(readFileSync(report, 'utf8'))
  const levels = [
    ['errors', 'error'],
    ['warnings', 'warning'],
    ['suggestions', 'info'],
  ]
  const findings = results.flatMap((result) =>
    levels.flatMap(([key, severity]) =>
      result[key].map((message) => ({ severity, file: basename(result.file), ...lineIn(message), message })),
    ),
  )
  return { findings, checked: results.map(({ file }) => basename(file)) }
}

function lineIn(message) {
  const line = /at line (\d+)/.exec(message)?.[1]
  return line === undefined ? {} : { line: Number(line) }
}

async function claudelintOver(claudelint, project, { env }) {
  const text = await output([...claudelint, 'check-all', '--no-cache', '--format', 'json'], project, env)
  const { validators } = JSON.parse(text.slice(text.indexOf('{')))
  const said = validators.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  return {
    findings: said.map(({ severity, file, line, message }) => ({
      severity,
      ...(file && { file: basename(file) }),
      ...(line && { line }),
      message,
    })),
  }
}

/** Out: stdout, whatever the exit code: linters end with 1 when they find something. */
async function output([program, ...args], cwd, env) {
  const { stdout } = await execute(program, args, { cwd, env, maxBuffer: 2 ** 26 }).catch((error) => error)
  return stdout
}
