import type { Clock, Ids, Took } from './clock.ts'
import type { CountTokens } from './compact/tokens.ts'
import type { Environment } from './environment.ts'
import type { Arrivals } from './inbox.ts'
import type { Recall } from './memory/remember.ts'
import type { Asks } from './model/answers.ts'
import type { ModelClient } from './model/client.ts'
import type { Person } from './person.ts'

/** What answers a run: the live outside, the recorded one, or the live one while it is recorded. */
export interface Outside {
  model: ModelClient
  clock: Clock
  ids: Ids
  environment: Environment
  count?: CountTokens | undefined
  arrivals?: Arrivals | undefined
  recall?: Recall | undefined
  /** Without it everything took what was measured. */
  took?: Took | undefined
  /** The same for an agent that the run has started, where each is answered by itself. */
  lane?: ((agent: string) => Pick<Outside, 'model' | 'clock' | 'count' | 'arrivals' | 'recall' | 'took'>) | undefined
  /** Whom the run asks, where that is a part of what answers it. */
  asked?: ((asks: Asks) => Asks) | undefined
  /** Who says what comes next in a conversation, where that is a part of what answers the run. */
  person?: ((person: Person | undefined) => Person | undefined) | undefined
  rest(): number
}
