import { join } from 'node:path'
import { build } from '../../compiler/commands/build.ts'
import { diff } from '../../compiler/commands/diff.ts'
import { explain } from '../../compiler/commands/explain.ts'
import type { Io } from '../../compiler/commands/io.ts'
import { list } from '../../compiler/commands/list.ts'
import { types } from '../../compiler/commands/types.ts'
import type { Ran } from './bin.ts'
import { BUILTIN, ROOT } from './tree.ts'

const COMMANDS = { build, diff, explain, list, types }

/** A command of the compiler as `agentc` runs it, without a process of its own: for tests that need many. */
export async function command(name: keyof typeof COMMANDS, argv: readonly string[], cwd: string): Promise<Ran> {
  const { io, ran } = ioOf(cwd)
  try {
    ran.code = await COMMANDS[name](argv, io)
    return ran
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'UsageError') throw error
    return { code: 2, out: ran.out, err: ran.err + error.message }
  }
}

/** What a command of the compiler touches, in a folder beside `home`, and what it says there. */
export function ioOf(cwd: string, more: Partial<Io> = {}): { io: Io; ran: Ran } {
  const ran: Ran = { code: null, out: '', err: '' }
  const io: Io = {
    out: (text) => void (ran.out += text),
    err: (text) => void (ran.err += text),
    env: {},
    version: '0.0.0',
    cwd,
    home: join(cwd, '../home'),
    platform: 'linux',
    terminal: false,
    columns: 80,
    builtinDir: BUILTIN,
    schemaDir: join(ROOT, 'schemas'),
    ...more,
  }
  return { io, ran }
}
