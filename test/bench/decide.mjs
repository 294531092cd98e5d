// node test/bench/decide.mjs [--json]: how long `decide` takes with 500 rules (issue 7: under 1 ms at the median), and how long it takes
// before, to read a command line and look up its files. Printed, never asserted: machines differ.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { median } from './measure.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
// In the repository's own node_modules, so that what the bundle leaves out is found from there.
const folder = mkdtempSync(join(root, 'node_modules/.agentc-bench-'))
const project = mkdtempSync(join(tmpdir(), 'agentc-bench-'))
try {
  await build({
    stdin: {
      contents: `export { decide } from './runner/permission/decide.ts'
        export { shellCall } from './runner/permission/shell-call.ts'
        export { lookUp } from './runner/permission/lookup.ts'
        export { openWorkspace } from './runner/workspace.ts'`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: join(folder, 'decide.mjs'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  })
  const { decide, shellCall, lookUp, openWorkspace } = await import(pathToFileURL(join(folder, 'decide.mjs')))
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'src/a.ts'), '')
  const workspace = await openWorkspace(project, project)
  const rights = { limits: [], ...rules(500), mode: 'default', workspace }
  const file = await lookUp(workspace, 'src/a.ts')
  const calls = [
    { tool: 'Read', input: { file_path: 'src/a.ts' }, files: [file], search: false },
    { tool: 'Edit', input: { file_path: 'src/a.ts' }, files: [file], search: false },
    { tool: 'WebFetch', input: { url: 'https://example.com/x' }, files: [], search: false },
  ]
  const lines = [
    'git status --short && npm run tool120 -- --watch',
    'for f in src/*.ts; do wc -l "$f"; done | sort -n > out.txt',
    'timeout 60 sudo env A=1 bash -c "grep -rn let src | head -20"',
  ]
  const reading = []
  for (let round = 0; round < 40; round++)
    for (const command of lines) {
      const start = performance.now()
      const shell = await shellCall(command, workspace, rights)
      reading.push(performance.now() - start)
      if (round === 0) calls.push({ tool: 'Bash', input: { command }, files: [], search: false, shell })
    }
  const deciding = []
  for (let round = 0; round < 400; round++)
    for (const call of calls) {
      // A copy, so that nothing remembered for the very same call counts.
      const asked = call.shell ? { ...call, shell: { ...call.shell } } : call
      const start = performance.now()
      decide(asked, rights)
      deciding.push(performance.now() - start)
    }
  const result = { rules: 500, decide_ms: spread(deciding), read_line_ms: spread(reading.slice(3)) }
  console.log(
    process.argv.includes('--json')
      ? JSON.stringify(result)
      : `decide with 500 rules: ${shown(result.decide_ms)}\nreading a command line: ${shown(result.read_line_ms)}`,
  )
} finally {
  rmSync(folder, { recursive: true })
  rmSync(project, { recursive: true })
}

/** Rules of all kinds, none of which is about the calls, so that all of them are looked at. */
function rules(count) {
  const origin = { source: 'project', path: '.claude/settings.json', line: 1, column: 1 }
  const kinds = [
    (at) => ({ tool: 'Bash', match: { prefix: ['tool', `sub${at}`] }, origin }),
    (at) => ({ tool: 'Bash', match: { wildcard: `deploy* --to ${at}*` }, origin }),
    (at) => ({ tool: 'Read', match: { path: `secret${at}/**/*.pem`, anchor: 'cwd' }, origin }),
    (at) => ({ tool: 'Edit', match: { path: `*.lock${at}`, anchor: 'cwd' }, origin }),
    (at) => ({ tool: `mcp__server${at}__*`, origin }),
  ]
  const all = Array.from({ length: count }, (_, at) => kinds[at % kinds.length](at))
  return { deny: all.slice(0, count * 0.4), ask: all.slice(count * 0.4, count * 0.6), allow: all.slice(count * 0.6) }
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: median(values), p95: sorted[Math.floor(sorted.length * 0.95)], most: sorted.at(-1) }
}

function shown({ median, p95, most }) {
  return `median ${median.toFixed(3)} ms, 95 % under ${p95.toFixed(3)} ms, at most ${most.toFixed(2)} ms`
}
