import type { ServerConfig } from '../../schemas/shapes/server.ts'
import type { Processes } from '../processes.ts'

/** How a server is reached, with every reference filled in. */
export interface Reach {
  config: ServerConfig
  /** Of a program that is started: its whole environment, and its working directory. */
  env: Readonly<Record<string, string>>
  cwd: string
  /** agentc's version, which the server is told. */
  version: string
  /** The processes of this server alone. */
  processes: Processes
  /** Over which connections a server over http is reached; without it those that the whole process shares. */
  fetch?: typeof fetch | undefined
  signal: AbortSignal
  /** Milliseconds until it must have answered and listed its tools. */
  deadlineMs: number
}

/** A tool as a server lists it. */
export interface ListedTool {
  name: string
  description: string
  input_schema: Readonly<Record<string, unknown>>
  /** The server says that it changes nothing. */
  readOnly: boolean
}

export interface Resource {
  uri: string
  name: string
  description?: string | undefined
  mimeType?: string | undefined
  size?: number | undefined
}

/** What a server answers a call with, as far as it is looked at; every block has a type. */
export interface CallResult {
  content: readonly ContentBlock[]
  structuredContent?: Readonly<Record<string, unknown>> | undefined
  isError?: boolean | undefined
}

export interface ResourceContent {
  uri: string
  mimeType?: string | undefined
  text?: string | undefined
  blob?: string | undefined
}

export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | ({ type: 'resource_link' } & Resource)
  | { type: 'resource'; resource: ResourceContent }

export interface CallOptions {
  signal: AbortSignal
  /** Milliseconds without an answer or a sign of progress. */
  timeoutMs: number
  progress?: ((progress: Progress) => void) | undefined
}

export interface Progress {
  progress: number
  total?: number | undefined
  message?: string | undefined
}

/** An open way to a server. Every method but `close` throws `Unreachable`, `Late`, or `Refused` with the server's words. */
export interface Wire {
  /** The tools that the server listed when it was connected to. */
  tools: readonly ListedTool[]
  list(options: CallOptions): Promise<ListedTool[]>
  call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallResult>
  resources(options: CallOptions): Promise<Resource[]>
  read(uri: string, options: CallOptions): Promise<ResourceContent[]>
  /** Ends the way, and the server if it was started for it. */
  close(): Promise<void>
}

/** What a server does by itself. */
export interface WireEvents {
  /** The list of tools is another one now. */
  changed(): void
  /** Nobody answers any more. */
  closed(reason: string): void
}

export type Connect = (reach: Reach, events: WireEvents) => Promise<Wire>

/** Why a server cannot be used, as the end of a sentence. It never holds what the server said before it was trusted to say anything. */
export class Unreachable extends Error {}
/** A call was not answered in its time. */
export class Late extends Error {}
/** The server answered with an error; `message` is what it said, which is for the model as every result is. */
export class Refused extends Error {}
