import { type PermissionMode, SANDBOX_MODES } from '../schemas/values.ts'
import type { Start } from './context.ts'
import { beyondMost, limitsInForce } from './limits/run-limits.ts'
import { fallbackOf, modelNamed, modelOf } from './request.ts'
import { unpriced } from './usage.ts'

/** What the command line may change of an agent. */
export type Overrides = Pick<
  Start,
  'model' | 'fallbackModel' | 'maxTurns' | 'maxBudgetUsd' | 'permissionMode' | 'limits' | 'outputSchema' | 'sandbox' | 'passEnv'
>

/** From the strictest to the loosest. */
const LOOSER: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions']

/**
 * Why a run may not be started like this, in one sentence. What is written in an agent file may be overridden by the person who runs it,
 * looser too; what the policy layer has written may only be made stricter, and a mode that policy has switched off stays off.
 * A limit in dollars that could not be kept is refused before anything is spent.
 */
export function refusal(start: Start): string | undefined {
  return beyondPolicy(start) ?? beyondMost(start) ?? fallbackFault(start) ?? budgetFault(start)
}

function beyondPolicy(start: Start): string | undefined {
  const { agent, header, name, permissionMode, maxTurns } = start
  const byPolicy = (field: string) => agent.provenance[field]?.source === 'policy'
  if (permissionMode === 'bypassPermissions' && header.settings.bypassDisabled) {
    return '--permission-mode bypassPermissions is switched off by the settings (disableBypassPermissionsMode).'
  }
  if (permissionMode !== undefined && agent.permissionMode !== undefined && byPolicy('permissionMode')) {
    if (LOOSER.indexOf(permissionMode) > LOOSER.indexOf(agent.permissionMode)) {
      return `Policy runs ${name} in permission mode ${agent.permissionMode}; --permission-mode ${permissionMode} would be looser.`
    }
  }
  const least = header.sandbox?.least
  if (least !== undefined && start.sandbox !== undefined && SANDBOX_MODES.indexOf(start.sandbox) < SANDBOX_MODES.indexOf(least)) {
    return `Policy runs commands with the sandbox ${least}; --sandbox ${start.sandbox} would be looser.`
  }
  if (maxTurns !== undefined && agent.maxTurns !== undefined && byPolicy('maxTurns') && maxTurns > agent.maxTurns) {
    return `Policy gives ${name} at most ${agent.maxTurns} turns; --max-turns ${maxTurns} would be more.`
  }
  if (!byPolicy('model') || agent.model === 'inherit') return undefined
  if (start.model !== undefined && modelNamed(header, start.model) !== modelNamed(header, agent.model)) {
    return `Policy runs ${name} on ${agent.model}; --model cannot change that.`
  }
  return start.fallbackModel === undefined ? undefined : `Policy runs ${name} on ${agent.model}; --fallback-model cannot add another model.`
}

function fallbackFault(start: Start): string | undefined {
  if (fallbackOf(start) !== modelOf(start)) return undefined
  return `--fallback-model ${start.fallbackModel} is the model that the run uses anyway.`
}

function budgetFault(start: Start): string | undefined {
  if (limitsInForce(start).usd === undefined) return undefined
  const [unknown] = unpriced([modelOf(start), fallbackOf(start)])
  if (unknown === undefined) return undefined
  return `--max-budget-usd cannot be kept: this version of agentc does not know what ${unknown} costs.`
}
