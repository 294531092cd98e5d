import { broken, compile, findingsIn } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { manifestText } from '../emit/manifest-of.ts'
import { placeText } from '../report/pretty.ts'

export interface Fresh {
  /** The manifest's bytes, as text: the only thing that crosses to the runner. */
  text: string
  /** Why an agent that was asked for is not in it. */
  missing: (name: string) => string | undefined | Promise<string | undefined>
}

/** A manifest built in memory as with `--keep-going`, so that a broken agent stops only runs that need it. Writes nothing. */
export async function rebuilt(options: CompileOptions): Promise<Fresh> {
  const compilation = await compile(options)
  const without = broken(compilation)
  const missing = (name: string): string | undefined => {
    if (!without.has(name)) return undefined
    const { agents, dropped } = compilation.resolution
    const gone = dropped.get(name)
    const findings = findingsIn(agents.get(name)?.definition.file ?? gone!.file, compilation)
    const cause =
      findings.find((item) => item.severity === 'error') ??
      compilation.settingsErrors[0] ??
      findings.find((item) => item.code === gone?.code)
    return cause ? `${placeText(cause.at)}: ${cause.message}` : undefined
  }
  return { text: manifestText(compilation, without), missing }
}
