import { existsSync } from 'node:fs'
import { broken, type Compilation } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { createCompiler } from '../compiler.ts'
import { faultOf } from '../discover/file-system.ts'
import type { Line } from '../emit/lines.ts'
import { Memo } from '../memo.ts'
import { countsOf } from '../report/summary.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { compare, type Difference } from '../watch/compare.ts'
import { WatchSession } from '../watch/session.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'
import { keepRecord, target, writeManifest, type Target, type Written } from './output.ts'
import { exitOnSignals } from './signals.ts'
import { now } from './unchanged.ts'
import { jsonVoice, prettyVoice, type Fate } from './watch-voice.ts'

export const WATCH_HELP = `agentc watch: builds again whenever a file changes, and says what became different

  --out FILE          where to write the manifest (default: .agentc/manifest.json); while there are errors the old one stays
  --format pretty|json
                      json: an event a line
${COMMON_HELP}`

/** `agentc watch`. It ends with a signal: exit code 128 and the number of the signal. */
export async function watch(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, { out: { type: 'string' } } as const)
  if (flags.help) return (io.out(WATCH_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`watch takes no arguments, but got "${positionals[0]}".`)
  const format = formatOf(flags, ['pretty', 'json'])
  const options = compileOptions(flags, io)
  const voice = format === 'json' ? jsonVoice(io) : prettyVoice(styleOf(flags, io), io)
  return new Promise<never>((_resolve, reject) => {
    const writer = new Writer(options, target(flags.out, options, io), io)
    let last: Compilation | undefined
    const say = (compilation: Compilation, parsed: number): void => {
      const difference = last && compare(last, compilation)
      last = compilation
      if (difference && isNothing(difference)) return writer.settle(compilation)
      voice.built({ compilation, parsed, ...(difference && { difference }) })
      voice.manifest(writer.write(compilation))
    }
    const session = new WatchSession({ compiler: createCompiler(options), now, ready: say, compiled: say, failed: reject })
    exitOnSignals()
    session.start().catch(reject)
  })
}

function isNothing({ changes, fresh, gone }: Difference): boolean {
  return changes.length === 0 && fresh.length === 0 && gone.length === 0
}

/** Writes the manifest when it is healthy, and what `build` and `run` need to know that it is fresh once it is quiet. */
class Writer {
  private written: Written | undefined
  private readonly options: CompileOptions
  private readonly target: Target
  private readonly io: Io
  private began = 0n
  private readonly lines = new Memo<ResolvedAgent, Line>()

  constructor(options: CompileOptions, to: Target, io: Io) {
    this.options = options
    this.target = to
    this.io = io
  }

  write(compilation: Compilation): Fate {
    const { shown } = this.target
    this.written = undefined
    if (!existsSync(this.options.cwd)) return { state: 'kept', shown, reason: 'the folder of the project is gone' }
    const { errors } = countsOf(compilation.diagnostics)
    if (errors > 0) return { state: 'kept', shown, reason: `there ${errors === 1 ? 'is an error' : `are ${errors} errors`}` }
    try {
      this.began = now()
      this.written = writeManifest(compilation, broken(compilation), this.target, this.lines)
      return { state: this.written.changed ? 'written' : 'unchanged', shown }
    } catch (error) {
      return { state: 'kept', shown, reason: `it cannot be written (${faultOf(error)})` }
    }
  }

  /** Nothing came out differently: time for what nobody waits for. */
  settle(compilation: Compilation): void {
    const { written, options, target: to, io } = this
    if (!written) return
    this.written = undefined
    try {
      keepRecord(written, { compilation, without: new Set(), options, began: this.began, target: to }, io)
    } catch (error) {
      faultOf(error)
    }
  }
}
