import type { Origin } from '../../schemas/source.ts'
import type { Stat } from './file-system.ts'

/** A file that was found and is to be read. */
export interface Found {
  path: string
  stat: Stat
  origin: Origin
  /** For plugin agents: what stands before the agent's name. */
  namespace?: string
  /** How large it may be, in bytes, if that is not what an agent's file may be. */
  limit?: number
}
