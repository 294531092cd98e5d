import type { NoticeEvent } from './events.ts'
import { modeInForce, modeNotice } from './permission/mode.ts'
import type { Start } from './context.ts'

/**
 * What the agent asks for and this version does not do. Nothing of an agent is passed over in silence:
 * each of these is an event at the start of the run and a line on standard error.
 * A row goes when what it names is built.
 */
export function notices(start: Start): NoticeEvent[] {
  const { agent } = start
  const rows: [code: string, asked: boolean, message: string][] = [
    ['isolation', agent.isolation === 'remote', 'this version runs no agents on other machines; the agent works in the folder itself'],
    ['effort', typeof agent.effort === 'number', `effort ${agent.effort} is not sent: the API knows levels, not numbers`],
    ['context-window', agent.contextWindow !== undefined, `this version does not ask for a context window of ${agent.contextWindow}`],
    [
      'background',
      agent.background === true && start.role === undefined,
      'the agent of a run is in the foreground, whatever its file says',
    ],
  ]
  const mode = modeNotice(modeInForce(start))
  return [...rows, ['permission-mode', mode !== undefined, mode ?? ''] as const]
    .filter(([, asked]) => asked)
    .map(([code, , message]) => ({ type: 'system', subtype: 'notice', code, message }))
}
