import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * The numbers of the processes for which this holds, but for this one. One that ends meanwhile, or is of another user, is none of them;
 * where there is no /proc this fails, since a test that finds no process wherever it looks would show nothing.
 */
function processes(isIt: (folder: string) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return isIt(`/proc/${pid}`)
      } catch {
        return false
      }
    })
}

/** Processes with this text in their command line. Those that have ended and wait for their parent have none. */
export function withArgument(text: string): number[] {
  return processes((folder) => readFileSync(`${folder}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text))
}

/** Processes with this word among their arguments: not those that are only told of it, as the shell that starts one. */
export function withWord(word: string): number[] {
  return processes((folder) => readFileSync(`${folder}/cmdline`, 'utf8').split('\0').includes(word))
}

/** Processes that were started with this text in their environment, as `NAME=value`. */
export function withEnvironment(text: string): number[] {
  return processes((folder) => readFileSync(`${folder}/environ`, 'utf8').includes(text))
}

/** Processes that work in a folder or below it. */
export function workingBelow(folder: string): number[] {
  const root = realpathSync(folder)
  return processes((its) => `${readlinkSync(`${its}/cwd`)}/`.startsWith(`${root}/`))
}
