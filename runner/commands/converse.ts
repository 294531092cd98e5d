import { join } from 'node:path'
import type { Start } from '../context.ts'
import type { Person } from '../person.ts'
import type { RunResult } from '../events.ts'
import { takeNote } from '../input/note.ts'
import { keptHistory } from '../session/kept-history.ts'
import { personAt } from '../session/person.ts'
import type { SessionTerminal } from '../session/session-terminal.ts'
import { redactor } from '../transcript/redact.ts'
import { openWorkspace } from '../workspace.ts'
import type { RunArguments } from './run-arguments.ts'
import type { RunIo } from './run-io.ts'

/** Whether `agentc run` is a conversation: at a terminal, in text, and without anything that would be all there is to say. */
export function isInteractive({ prompt, format, outputSchema, replay }: RunArguments, { stdin, stdout }: RunIo): boolean {
  return (
    prompt === undefined &&
    replay === undefined &&
    format === 'text' &&
    outputSchema === undefined &&
    stdin.isTTY === true &&
    stdout.isTTY === true
  )
}

/** The person of a conversation in `cwd`, who finds what was said in earlier ones; without `keep` nothing is kept of this one. */
export async function converser(session: SessionTerminal, start: Start, keep: boolean, cwd: string, { env }: RunIo): Promise<Person> {
  const workspace = await openWorkspace(cwd, env.HOME, env.CLAUDE_CONFIG_DIR || undefined)
  const kept = keptHistory(env.CLAUDE_CONFIG_DIR || join(env.HOME ?? workspace.root, '.claude'), workspace.root, redactor(env))
  if (keep) session.history.recall(kept.entries())
  const { header, name, agent } = start
  return personAt(session, {
    header,
    remember: (prompt) => keep && kept.add(prompt),
    async note(text) {
      const taken = await takeNote(text, name, agent, workspace)
      return 'refused' in taken ? taken.refused : `noted in ${taken.path}`
    },
  })
}

/** What is said when a conversation is over. */
export function farewell({ run_id, num_turns }: RunResult): string {
  return run_id === undefined || num_turns === 0 ? '' : `Go on with it: agentc run --resume ${run_id}\n`
}
