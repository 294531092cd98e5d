import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run, type RunIo } from '../../runner/commands/run.ts'
import type { runs } from '../../runner/commands/runs.ts'
import type { verify } from '../../runner/commands/verify.ts'
import type { RunResult } from '../../runner/index.ts'
import type { TranscriptLine } from '../../runner/transcript/line.ts'
import { manifestText } from './manifest-fixture.ts'
import { writingTools } from './writing-tools.ts'

export interface Stage {
  cwd: string
  url?: string
  manifest?: string
  env?: Record<string, string>
  signal?: AbortSignal
}

/** `agentc run` in this process, with the tools of the tests; runs are kept in `cwd`. */
export async function agentcRun(argv: string[], { cwd, url = 'http://127.0.0.1:9', manifest, env = {}, signal }: Stage) {
  const written = { stdout: '', stderr: '' }
  const io: RunIo = {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    stdin: Object.assign((async function* () {})(), { isTTY: true }),
    env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url, ...env },
    cwd,
    signal: signal ?? new AbortController().signal,
    tools: writingTools,
  }
  const code = await run(argv, io, () =>
    Promise.resolve(manifest ?? manifestText({ worker: { tools: ['Bash', 'Glob', 'Read', 'Write'] } })),
  )
  return { code, ...written }
}

/** The same with `--format json`; gives the result too. */
export async function resultOf(argv: string[], stage: Stage): Promise<{ code: number; result: RunResult; stderr: string }> {
  const { code, stdout, stderr } = await agentcRun([...argv, '--format', 'json'], stage)
  if (stdout === '') throw new Error(stderr)
  return { code, stderr, result: JSON.parse(stdout) as RunResult }
}

/** A command that looks at kept runs, in this process. */
export async function outcomeOf(command: typeof runs | typeof verify, argv: readonly string[], cwd: string) {
  const written = { out: '', err: '' }
  const stdout = { write: (text: string) => (written.out += text) }
  const code = await command(argv, { stdout, stderr: { write: (text) => (written.err += text) }, cwd })
  return { code, ...written }
}

/** The folder of the only run. */
export function runFolder(cwd: string): string {
  const runs = join(cwd, '.agentc/runs')
  const names = existsSync(runs) ? readdirSync(runs) : []
  if (names.length !== 1) throw new Error(`there are ${names.length} runs`)
  return join(runs, names[0]!)
}

/** What that run is resumed and verified by. */
export function runId(cwd: string): string {
  return basename(runFolder(cwd))
}

export function transcriptOf(cwd: string): string {
  return readFileSync(join(runFolder(cwd), 'transcript.jsonl'), 'utf8')
}

export function linesOf(cwd: string): (TranscriptLine & { redacted?: true })[] {
  return transcriptOf(cwd)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as TranscriptLine)
}

export function kinds(cwd: string): string[] {
  return linesOf(cwd).map((line) => line.kind)
}
