import { MEMORY_SCOPES, type MemoryScope } from '../../schemas/values.ts'

/** Whose notes they are, and what follows for what may stand in them (claude-code-agents.md 9). */
const SCOPE: Readonly<Record<MemoryScope, string>> = {
  user: 'You carry these notes into every project of this person, so keep only what is true in all of them.',
  project: 'These notes belong to this project and are shared with everyone who works on it, so nothing private may stand in them.',
  local: 'These notes belong to this project on this machine. They are not shared with others.',
}

/**
 * What `memory` adds at the end of a prompt (mission M8). `{{folder}}` and `{{content}}` are filled in at run time: the agent's own folder,
 * and the first 200 lines or 25 KB of its MEMORY.md.
 */
function section(scope: MemoryScope): string {
  return `# Your memory

You have a folder of your own that outlasts this conversation: \`{{folder}}\`. ${SCOPE[scope]}
Read, change and add files there with Read, Edit and Write; writing a file creates the folders on the way to it.

\`MEMORY.md\` in that folder is the only file you are shown without asking: at the start of every conversation you get its first 200 lines or 25 KB, whichever ends sooner. Keep it shorter than that. Put what needs more room into a file of its own, and leave one line in \`MEMORY.md\` that names the file and says what is in it.

Write down what would have saved you work today: decisions and the reasons for them, where things are, mistakes that came back, what people asked you to do or to leave. Write it when you learn it, because a conversation can end at any time.

- Before you add a note, look for one on the same matter and change that one. Delete what turned out wrong.
- Leave out what the files of the project say already, what concerns only the task at hand, guesses, and every password, key or token.
- A note tells what was so when it was written. Check it before you act on it.

## MEMORY.md as it is now

{{content}}`
}

/** The sections that a manifest needs: one for each scope that some agent uses. */
export function memorySections(used: Iterable<MemoryScope>): Record<string, string> {
  const scopes = new Set(used)
  return Object.fromEntries(MEMORY_SCOPES.filter((scope) => scopes.has(scope)).map((scope) => [scope, section(scope)]))
}
