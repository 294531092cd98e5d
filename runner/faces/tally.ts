import { count, subject } from './shown.ts'

/** Tools that only look: what they looked at is of interest while they do, afterwards how much it was. */
const READS = new Set(['Read', 'ReadMcpResource'])
const SEARCHES = new Set(['Glob', 'Grep'])
const WRITES = new Set(['Edit', 'Write', 'NotebookEdit'])

/** Whether neighbouring calls of a tool are told together. */
export function onlyLooks(name: string): boolean {
  return READS.has(name) || SEARCHES.has(name)
}

/** What calls come to, in one phrase. */
export interface Tally {
  take(name: string, input: unknown): void
  /** `read 2 files, searched 1 time, edited 1 file, ran 3 commands`; a file that is read in parts counts once. */
  phrase(): string
}

export function createTally(): Tally {
  const files = new Set<string>()
  const edited = new Set<string>()
  const many = { searches: 0, commands: 0, agents: 0, others: 0 }
  return {
    take(name, input) {
      if (READS.has(name)) files.add(subject(input))
      else if (WRITES.has(name)) edited.add(subject(input))
      else many[kindOf(name)] += 1
    },
    phrase() {
      const parts = [
        files.size > 0 && `read ${count(files.size, 'file')}`,
        many.searches > 0 && `searched ${count(many.searches, 'time')}`,
        edited.size > 0 && `edited ${count(edited.size, 'file')}`,
        many.commands > 0 && `ran ${count(many.commands, 'command')}`,
        many.agents > 0 && `started ${count(many.agents, 'agent')}`,
        many.others > 0 && `called ${count(many.others, 'other tool')}`,
      ].filter((part) => part !== false)
      return parts.join(', ')
    },
  }
}

function kindOf(name: string): 'searches' | 'commands' | 'agents' | 'others' {
  if (SEARCHES.has(name)) return 'searches'
  if (name === 'Bash') return 'commands'
  return name === 'Agent' || name === 'Task' ? 'agents' : 'others'
}
