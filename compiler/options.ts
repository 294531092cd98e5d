import type { Profile } from '../schemas/profile.ts'
import type { DiscoverOptions } from './discover/options.ts'

export interface CompileOptions extends DiscoverOptions {
  profile?: Profile
  features?: ReadonlySet<string>
  /** Built-in agents that are left out (mission M5). */
  hiddenBuiltins?: readonly string[]
  /** `false`: no agent has a memory. */
  memory?: false
}
