/** How processes are known by the run that they belong to: a variable that everything a process starts inherits. */

/** Runs inside runs stand in it side by side, the outermost first. */
export const MARKER = 'AGENTC_RUN'
const SEPARATOR = ':'

/** The variable's value for what a run starts: its own mark behind those of the runs that it is inside of. */
export function markedWith(outer: string | undefined, mark: string): string {
  return outer ? `${outer}${SEPARATOR}${mark}` : mark
}

/** Whether an environment, as Linux tells it of a process, is that of something in the run with this mark or in a run inside it. */
export function carries(environ: string, mark: string): boolean {
  const start = `${MARKER}=`
  const entry = environ.split('\0').find((one) => one.startsWith(start))
  return entry !== undefined && entry.slice(start.length).split(SEPARATOR).includes(mark)
}
