import { join } from 'node:path'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { turns } from '../in-turn.ts'
import type { Workspace } from '../workspace.ts'

/** Rules that a person has given for the rest of a run. All agents of the run share them, as they share the rules of the manifest. */
export class Grants {
  readonly rules: Rule[] = []
  /** One question at a time, so that an answer holds for those that wait. */
  readonly inTurn = turns()

  /** A path counts from the working directory of the agent that was asked about, in whichever folder another one works. */
  add(rule: Rule, { cwd }: Workspace): void {
    const { match } = rule
    const path = match && 'anchor' in match && match.anchor === 'cwd' ? join(cwd, match.path) : undefined
    this.rules.push(path === undefined ? rule : { ...rule, match: { path, anchor: 'root' } })
  }
}
