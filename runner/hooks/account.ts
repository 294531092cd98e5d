import type { Reply } from '../message.ts'
import { type UsageByModel, withUsage } from '../usage.ts'

/** What the hooks of one agent have cost: those that ask a model are paid for like any other question. */
export interface HookAccount {
  usage(): UsageByModel
  /** `asked`: the model that was asked. */
  add(reply: Reply, asked: string): void
}

export function hookAccount(): HookAccount {
  let usage: UsageByModel = {}
  return {
    usage: () => usage,
    add(reply, asked) {
      usage = withUsage(usage, reply, asked, '5m')
    },
  }
}
