import type { ToolSet } from '../tools/registry.ts'

interface Sink {
  write(text: string): unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
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
  /** Folders of plugins, as they were given; the manifest says what is to be found in them. */
  pluginDirs?: readonly string[] | undefined
  /** Where the managed files are, and what comes with agentc. */
  layers?: { managed: string; bundled: string } | undefined
  /** Aborted with the name of the signal that is to end the run. */
  signal: AbortSignal
  /** Gets what ends the processes of a run at once, for an end that cannot wait; what it returns takes that back. */
  atOnce?: ((kill: () => void) => () => void) | undefined
  /** SIGINT, and whatever means the same. */
  interrupts?:
    | {
        /** It goes to `take`, until what is returned is called; if `take` is false, to the run as ever. */
        divert(take: () => boolean): () => void
        raise(): void
      }
    | undefined
  /** Other tools than the built-in ones. */
  tools?: ToolSet | undefined
}
