import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ManifestFault, type OpenManifest, readManifest } from '../../schemas/manifest.ts'
import type { RunResult } from '../events.ts'
import type { Face } from '../faces/face.ts'
import { jsonFace } from '../faces/json.ts'
import { textFace } from '../faces/text.ts'
import { RecordingFault } from '../model/replay.ts'
import { didYouMean } from '../../schemas/near.ts'
import { openRun, type OpenRun } from '../open.ts'
import { readRunArguments, RUN_HELP, type RunArguments, UsageFault } from './run-arguments.ts'

export { RUN_HELP } from './run-arguments.ts'

interface Sink {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

/** The outside of a command. */
export interface RunIo {
  stdout: Sink
  stderr: Sink
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean | undefined }
  env: Readonly<Record<string, string | undefined>>
  /** File arguments count from here. */
  cwd: string
  /** Where the agent works, when that is not `cwd`. */
  project?: string | undefined
  signal: AbortSignal
}

/** Something a person can put right; printed as one line. */
class Trouble extends Error {}

/**
 * The command `agentc run`. `manifestText` gives the manifest for an agent when `--manifest` does not.
 * What it returns is the exit code; an exception is a bug.
 */
export async function run(argv: readonly string[], io: RunIo, manifestText: (agent: string) => Promise<string>): Promise<number> {
  try {
    const args = readRunArguments(argv)
    if (args !== 'help') return await execute(args, io, manifestText)
    io.stdout.write(RUN_HELP)
    return 0
  } catch (error) {
    if (error instanceof UsageFault) return said(io, error.message, 2)
    if (error instanceof Trouble || error instanceof ManifestFault || error instanceof RecordingFault) return said(io, error.message, 1)
    throw error
  }
}

function said(io: RunIo, message: string, code: number): number {
  io.stderr.write(`agentc: ${message}\n`)
  return code
}

async function execute(args: RunArguments, io: RunIo, manifestText: (agent: string) => Promise<string>): Promise<number> {
  const text = args.manifest === undefined ? await manifestText(args.agent) : await fileText(io, args.manifest, 'the manifest')
  const manifest = readManifest(text, (name) => name === args.agent)
  const agent = manifest.agents.get(args.agent)
  if (!agent) throw new UsageFault(unknownAgent(args.agent, manifest))
  const prompt = await promptOf(args, io, agent.initialPrompt !== undefined)
  const replay = args.replay === undefined ? undefined : await fileText(io, args.replay, 'the recording')
  const api = replay === undefined ? credentials(io) : { apiKey: undefined, authToken: undefined, baseURL: undefined }
  const cwd = workFolder(io)
  const file = args.record === undefined ? undefined : recordingFile(io, args.record)
  try {
    const opened = await openRun({
      start: { header: manifest.header, name: args.agent, agent, prompt, model: args.model, maxTurns: args.maxTurns },
      cwd,
      home: io.env.HOME,
      env: io.env,
      signal: io.signal,
      api,
      record: file?.append,
      replay,
    })
    return exitCode(await shown(opened, args, io), opened, io)
  } finally {
    file?.close()
  }
}

async function shown(opened: OpenRun, args: RunArguments, io: RunIo): Promise<RunResult> {
  const face: Face = args.format === 'json' ? jsonFace() : textFace({ live: io.stdout.isTTY === true })
  for (;;) {
    const step = await opened.events.next()
    if (step.done) return step.value
    for (const { to, text } of face(step.value)) io[to].write(text)
  }
}

function exitCode(result: RunResult, opened: OpenRun, io: RunIo): number {
  const rest = opened.rest()
  if (!result.is_error && rest > 0) return said(io, `the recording holds ${rest} more turns, which this run did not ask for`, 1)
  if (result.terminal_reason === 'completed') return 0
  if (result.terminal_reason === 'max_turns') return 3
  return result.terminal_reason === 'interrupted' ? 130 : 1
}

function unknownAgent(name: string, manifest: OpenManifest): string {
  const near = didYouMean(name, manifest.names)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no agent ${JSON.stringify(name)}.${meant} There are: ${manifest.names.join(', ') || 'none'}.`
}

async function promptOf(args: RunArguments, io: RunIo, optional: boolean): Promise<string> {
  let prompt = args.prompt ?? ''
  if (args.prompt === undefined && io.stdin.isTTY !== true) {
    const chunks: Uint8Array[] = []
    for await (const chunk of io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    prompt = Buffer.concat(chunks).toString('utf8').trimEnd()
  }
  if (prompt.trim() !== '') return prompt
  if (optional) return ''
  throw new UsageFault('What is the agent to do? Give a prompt as an argument or on standard input.')
}

function workFolder(io: RunIo): string {
  const folder = resolve(io.cwd, io.project ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new Trouble(`${io.project ?? folder}, where the agent is to work, is not a folder.`)
}

async function fileText(io: RunIo, path: string, what: string): Promise<string> {
  return readFile(resolve(io.cwd, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${path}, ${what}, cannot be read (${error.code}).`)
  })
}

function recordingFile(io: RunIo, path: string): { append(line: string): void; close(): void } {
  try {
    const file = openSync(resolve(io.cwd, path), 'w', 0o600)
    return { append: (line) => void writeSync(file, line), close: () => closeSync(file) }
  } catch (error) {
    throw new Trouble(`The recording ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function credentials(io: RunIo) {
  const apiKey = credential(io, 'ANTHROPIC_API_KEY')
  const authToken = credential(io, 'ANTHROPIC_AUTH_TOKEN')
  const baseURL = io.env.ANTHROPIC_BASE_URL || undefined
  if (apiKey === undefined && authToken === undefined) {
    throw new Trouble('There is no key for the API: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN).')
  }
  if (baseURL !== undefined && !URL.canParse(baseURL)) throw new Trouble(`ANTHROPIC_BASE_URL is not an address: ${baseURL}`)
  return { apiKey, authToken, baseURL }
}

/** Checked here, because an error of the request would print a value that no header can carry. */
function credential(io: RunIo, name: string): string | undefined {
  const value = io.env[name]?.trim() || undefined
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) throw new Trouble(`${name} holds characters that no key has.`)
  return value
}
