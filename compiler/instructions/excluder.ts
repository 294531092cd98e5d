import picomatch from 'picomatch'
import type { Written } from '../settings/settings.ts'

/**
 * In: the patterns of `claudeMdExcludes`, which are compared with absolute paths. Out: a function that gives the pattern that leaves a file
 * out, by the path that was followed or the one without links (code.claude.com, "memory").
 */
export function excluder(patterns: readonly Written<string>[]): (...paths: string[]) => Written<string> | undefined {
  const all = patterns.map((by) => ({ by, fits: picomatch(by.value, { dot: true, nonegate: true }) }))
  return (...paths) => all.find(({ fits }) => paths.some((path) => fits(path.replaceAll('\\', '/'))))?.by
}
