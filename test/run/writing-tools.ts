import { spawn } from 'node:child_process'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import { builtInTools, type ToolSet } from '../../runner/tools/registry.ts'
import { fine, type Tool, type ToolContext, type ToolInput } from '../../runner/tools/tool.ts'

/**
 * Tools for tests only, under names of the catalogue, until the real ones are built. Write puts its content at the end of a file, so that
 * a write done twice is seen in the file itself; the change is one rename. Bash runs its command and leaves behind what that leaves behind.
 */
export const writingTools: ToolSet = (name) => (name === 'Write' ? append : name === 'Bash' ? bash : builtInTools(name))

const append: Tool = {
  paths: (input) => [input.file_path as string],
  async effects(input, context) {
    const { before, after } = await change(input, context)
    return [{ path: input.file_path as string, before: before === undefined ? null : sha256(before), after: sha256(after) }]
  },
  async run(input, context) {
    const path = join(context.workspace.cwd, input.file_path as string)
    const { after } = await change(input, context)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.new`, after)
    await rename(`${path}.new`, path)
    return fine(`Wrote ${input.file_path as string}.`)
  },
}

async function change(input: ToolInput, context: ToolContext): Promise<{ before: string | undefined; after: string }> {
  const before = await readFile(join(context.workspace.cwd, input.file_path as string), 'utf8').catch(() => undefined)
  return { before, after: `${before ?? ''}${input.content as string}` }
}

const bash: Tool = {
  async run(input, context) {
    const scratch = await context.scope.temporary()
    await appendFile(join(scratch, 'note'), 'x')
    // Killed at once if the run is interrupted, as a real tool would be.
    const child = spawn('bash', ['-c', input.command as string], {
      cwd: context.workspace.cwd,
      env: { ...context.env, SCRATCH: scratch },
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    context.scope.processes.own(child.pid)
    const stop = () => child.kill('SIGKILL')
    context.signal.addEventListener('abort', stop)
    const code = await new Promise((resolve) => child.once('exit', resolve))
    context.signal.removeEventListener('abort', stop)
    return fine(`exit ${String(code)}`)
  },
}

/** A shell command that leaves five kinds of processes behind; `mark` stands in the arguments of all of them, so that they can be counted. */
export function leavesBehind(mark: string): string {
  const sleep = `exec -a ${mark} sleep 300`
  return [
    `(${sleep}) &`,
    `setsid bash -c '${sleep}' &`,
    `( ( ${sleep} ) & ) &`,
    `nohup bash -c '${sleep}' >/dev/null 2>&1 &`,
    `(setsid bash -c 'trap "" TERM HUP INT; while :; do ${sleep.replace('exec', '(exec')}); done' ${mark} &) &`,
    'sleep 0.1',
  ].join('\n')
}
