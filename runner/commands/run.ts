import { urlOf } from '../../schemas/url.ts'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ManifestFault, type OpenManifest, readManifest } from '../../schemas/manifest.ts'
import type { RunResult } from '../events.ts'
import { faceFor } from '../faces/choose.ts'
import { refusal } from '../overrides.ts'
import type { Color } from '../../schemas/values.ts'
import { isConversation, RecordingFault } from '../model/replay.ts'
import { didYouMean } from '../../schemas/near.ts'
import { closureNames, closureText } from '../closure.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { InputRefused } from '../input/live.ts'
import { observed } from '../otel/observed.ts'
import { converser, farewell, isInteractive } from './converse.ts'
import { noteOrRefusal, schemaIn } from './inputs.ts'
import { openRun, type OpenRun } from '../open.ts'
import type { RunOptions } from '../run-options.ts'
import { terminalAsk, terminalPerson } from '../permission/asker.ts'
import { SandboxFault } from '../sandbox/sandbox.ts'
import type { ReadCode } from '../tools/custom.ts'
import { DamagedTranscript } from '../transcript/read.ts'
import { TranscriptFault } from '../transcript/transcript.ts'
import { ownRun, Trouble } from './kept.ts'
import { pluginFolders } from './plugin-folders.ts'
import { resumed } from './resumed.ts'
import type { RunIo } from './run-io.ts'
import { openScreen, type Screen } from './screen.ts'
import { withSettings } from './settings-env.ts'
import { effectiveManifest } from './trusted.ts'
import { readRunArguments, RUN_HELP, type RunArguments, UsageFault } from './run-arguments.ts'

export { RUN_HELP } from './run-arguments.ts'
export type { RunIo } from './run-io.ts'

const TROUBLES = [Trouble, ManifestFault, RecordingFault, TranscriptFault, DamagedTranscript, SandboxFault]

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
    if (error instanceof UsageFault || error instanceof InputRefused) return said(io, error.message, 2)
    if (TROUBLES.some((kind) => error instanceof kind)) return said(io, (error as Error).message, 1)
    throw error
  }
}

function said(io: RunIo, message: string, code: number): number {
  io.stderr.write(`agentc: ${message}\n`)
  return code
}

async function execute(args: RunArguments, io: RunIo, manifestText: (agent: string) => Promise<string>): Promise<number> {
  const interactive = isInteractive(args, io)
  const screen = openScreen(io, { interactive, plain: isPlain(args, io) })
  try {
    return await executeOn(screen, args, io, manifestText)
  } finally {
    screen.close()
  }
}

async function executeOn(screen: Screen, args: RunArguments, io: RunIo, manifestText: (agent: string) => Promise<string>): Promise<number> {
  const { session } = screen
  const replay = args.replay === undefined ? undefined : await fileText(io, args.replay, 'the recording')
  const talks = session !== undefined || (replay !== undefined && isConversation(replay))
  const run = args.resume === undefined ? await newRun(args, io, manifestText, screen, talks) : pastRun(args.resume, args, io, talks)
  if ('noted' in run) return said({ ...io, stderr: io.stdout }, run.noted, 0)
  const api = replay === undefined ? credentials(io) : { apiKey: undefined, authToken: undefined, baseURL: undefined }
  const file = args.record === undefined ? undefined : recordingFile(io, args.record)
  let done: (() => void) | undefined
  try {
    const { signal, tools } = io
    const env = withSettings(io.env, run.start.header.settings)
    const folders = await pluginFolders(run.start.header, io.pluginDirs ?? [], io.cwd, (message) => void said(io, message, 0))
    const outside = { cwd: workFolder(io), home: io.env.HOME, env, signal, tools, host: process, readCode: codeReader(args, io) }
    const opened = await openRun({
      ...run,
      ...outside,
      ...personAt(screen, args),
      person: session && (await converser(session, run.start, args.keep, outside.cwd, io)),
      pluginFolders: folders,
      layers: io.layers,
      api,
      record: file?.append,
      replay,
    })
    done = io.atOnce?.(opened.kill)
    const result = await shown(opened, run, args, io, screen)
    if (session) io.stderr.write(farewell(result))
    return exitCode(result, opened, io)
  } finally {
    done?.()
    file?.close()
  }
}

/** A run of an agent of the manifest, with what is kept of the manifest beside its transcript. */
async function newRun(
  args: RunArguments,
  io: RunIo,
  manifestText: (agent: string) => Promise<string>,
  { terminal }: Screen,
  talks: boolean,
): Promise<Pick<RunOptions, 'start' | 'keep' | 'agents'> | { noted: string }> {
  const text = args.manifest === undefined ? await manifestText(args.agent) : await fileText(io, args.manifest, 'the manifest')
  const asked = readManifest(text, (name) => name === args.agent)
  if (!asked.agents.has(args.agent)) throw new UsageFault(unknownAgent(args.agent, asked))
  const { manifest, notice } = await effectiveManifest(withSpawnable(text, asked, args.agent), workFolder(io), args.trust, io, terminal)
  if (notice !== undefined) said(io, notice, 0)
  const agent = manifest.agents.get(args.agent)!
  const prompt = await promptOf(args, io, talks || agent.initialPrompt !== undefined)
  const noted = await noteOrRefusal(prompt, manifest, args.agent, agent, { cwd: workFolder(io), env: io.env })
  if (noted !== undefined) return { noted }
  const outputSchema =
    args.outputSchema === undefined ? undefined : await schemaIn(await fileText(io, args.outputSchema, 'the output schema'))
  const start = { header: manifest.header, name: args.agent, agent, prompt, ...args.overrides, outputSchema }
  const reason = refusal(start)
  if (reason !== undefined) throw new UsageFault(reason)
  return { start, keep: args.keep ? closureOf(manifest, args.agent) : undefined, agents: manifest.agents }
}

/** Whom the agent may ask; where a program reads along, nobody is waited for. */
function personAt({ terminal }: Screen, { format }: RunArguments): Pick<RunOptions, 'ask' | 'askPerson'> {
  if (!terminal || format !== 'text') return {}
  return { ask: terminalAsk(terminal), askPerson: terminalPerson(terminal) }
}

function closureOf(manifest: OpenManifest, name: string): { text: string; hash: string } {
  return closureText(manifest, closureNames(manifest, name, true))
}

/** The manifest with all agents that this one can start, at any depth; of one that starts none, nothing more is read. */
function withSpawnable(text: string, manifest: OpenManifest, name: string): OpenManifest {
  const names = closureNames(manifest, name, true)
  if (names.length === 1) return manifest
  const whole = readManifest(text)
  const reached = closureNames(whole, name, true)
  return { ...whole, agents: new Map([...whole.agents].filter(([each]) => reached.includes(each))) }
}

/** A run that is gone on with, from its own manifest and transcript alone. */
function pastRun(id: string, args: RunArguments, io: RunIo, interactive: boolean): Pick<RunOptions, 'start' | 'resume' | 'agents'> {
  const { maxTurns, maxBudgetUsd } = args.overrides
  const project = workFolder(io)
  const kept = ownRun(project, id)
  const resume = resumed(kept, { prompt: args.prompt, maxTurns, maxBudgetUsd }, interactive)
  const { start } = resume.history
  const reason = refusal({ ...start, maxTurns: maxTurns ?? start.maxTurns, maxBudgetUsd: maxBudgetUsd ?? start.maxBudgetUsd })
  if (reason !== undefined) throw new UsageFault(reason)
  return { start, resume, agents: kept.manifest.agents }
}

/** Without anything that moves the cursor. */
function isPlain({ plain }: RunArguments, { env }: RunIo): boolean {
  return plain || env.TERM === 'dumb'
}

async function shown(
  opened: OpenRun,
  { start: { agent }, agents }: Pick<RunOptions, 'start' | 'agents'>,
  args: RunArguments,
  io: RunIo,
  screen: Screen,
): Promise<RunResult> {
  const { color, cacheTtl } = agent
  const colorOf = (name: string): Color | undefined => agents?.get(name)?.color
  const face = faceFor(args.format, io, { color, colorOf, cacheTtl, plain: isPlain(args, io), interactive: screen.session !== undefined })
  const events = args.otel === 'off' ? opened.events : observed(opened.events, args.otel === 'contents')
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
    screen.show(step.value, face)
  }
}

function exitCode(result: RunResult, opened: OpenRun, io: RunIo): number {
  const rest = opened.rest()
  if (!result.is_error && rest > 0) return said(io, `the recording holds ${rest} more turns, which this run did not ask for`, 1)
  return exitCodeOf(result, io.signal.reason)
}

function unknownAgent(name: string, manifest: OpenManifest): string {
  const near = didYouMean(name, manifest.names)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no agent ${JSON.stringify(name)}.${meant} There are: ${manifest.names.join(', ') || 'none'}.`
}

async function promptOf(args: RunArguments, io: RunIo, optional: boolean): Promise<string> {
  let prompt = args.prompt ?? ''
  if (args.prompt === undefined && io.stdin.isTTY !== true) prompt = await inputText(io)
  if (args.appendInput) prompt = `${prompt}\n\n${await inputText(io)}`
  if (prompt.trim() !== '') return prompt
  if (optional) return ''
  throw new UsageFault('What is the agent to do? Give a prompt as an argument or on standard input.')
}

async function inputText(io: RunIo): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks).toString('utf8').trimEnd()
}

function workFolder(io: RunIo): string {
  const folder = resolve(io.cwd, io.project ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new Trouble(`${io.project ?? folder}, where the agent is to work, is not a folder.`)
}

/** The code of the project's tools lies beside its manifest, each under its hash; where another manifest is given, beside that one. */
function codeReader({ manifest }: RunArguments, io: RunIo): ReadCode {
  const folders = [...(manifest === undefined ? [] : [dirname(resolve(io.cwd, manifest))]), join(workFolder(io), '.agentc')]
  return async (hash) => {
    const files = folders.map((folder) => join(folder, 'tools', `${hash.slice('sha256:'.length)}.mjs`))
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => undefined)))
    return texts.find((text) => text !== undefined)
  }
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
  if (baseURL !== undefined && !urlOf(baseURL)) throw new Trouble(`ANTHROPIC_BASE_URL is not an address: ${baseURL}`)
  return { apiKey, authToken, baseURL }
}

/** Checked here, because an error of the request would print a value that no header can carry. */
function credential(io: RunIo, name: string): string | undefined {
  const value = io.env[name]?.trim() || undefined
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) throw new Trouble(`${name} holds characters that no key has.`)
  return value
}
