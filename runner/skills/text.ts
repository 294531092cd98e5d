import type { PromptFile } from './catalogue.ts'
import { expanded, type Filling } from './expand.ts'

/** Output of a command, or why it did not run. */
export interface Answered {
  text: string
  isError: boolean
}

/**
 * The text of a skill, its commands run one by one in their order. A command that may not run, or fails, refuses the skill: without that
 * output it would be another one. Without `shell` commands are text like any other.
 */
export async function skillText(
  skill: PromptFile,
  filling: Filling,
  shell: ((command: string) => Promise<Answered>) | undefined,
): Promise<{ text: string } | { refused: string }> {
  let text = ''
  for (const part of expanded(skill, filling, shell !== undefined)) {
    if (part.kind === 'text' || !shell) {
      text += part.kind === 'text' ? part.text : part.written
      continue
    }
    if (skill.shell === 'powershell') return { refused: 'its commands are for PowerShell, which is not run here' }
    const { text: output, isError } = await shell(part.command)
    if (isError) return { refused: `its command ${JSON.stringify(part.command)} did not run: ${output}` }
    text += output
  }
  return { text: text.trim() }
}
