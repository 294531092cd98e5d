import type { Reply } from '../message.ts'
import { type PaidReply, type UsageByModel, withPaid } from '../usage.ts'

/** What the hooks of one agent have cost: those that ask a model are paid for like any other question. */
export interface HookAccount {
  usage(): UsageByModel
  /** `asked`: the model that was asked. */
  add(reply: Reply, asked: string): void
  /** Writes down every reply from now on, and those that came before. */
  keepBy(write: (paid: PaidReply) => void): void
}

/** `before`: what the hooks of a run that goes on had cost, and all else that was used beside its conversation. */
export function hookAccount(before: UsageByModel = {}): HookAccount {
  let usage = before
  const waiting: PaidReply[] = []
  let keep = (paid: PaidReply): void => void waiting.push(paid)
  return {
    usage: () => usage,
    add({ model, usage: used }, asked) {
      const paid = { asked, model, usage: used }
      usage = withPaid(usage, paid)
      keep(paid)
    },
    keepBy(write) {
      keep = write
      waiting.splice(0).forEach(write)
    },
  }
}
