import { MOST, replaced } from './replace.ts'
import { writeTarget } from './target.ts'
import { decodeText, encodeText, type TextFile } from './text-file.ts'
import { failed, isOutput, type ToolOutput } from './tool.ts'
import { writingTool } from './writing.ts'

/**
 * Replaces text in a file that the agent has read and that nothing else has changed since (M18). All bytes outside the replaced text stay
 * as they are: line ends, byte order mark, a missing last line end, and bytes that are no UTF-8.
 */
export const editTool = writingTool(
  (input) => input.file_path as string,
  async (input, context) => {
    const [old, fresh] = [input.old_string as string, input.new_string as string]
    if (old === '') return failed('old_string is empty: give the text to replace. A new file is made with Write.')
    if (old === fresh) return failed('old_string and new_string are the same: there is nothing to change.')
    const target = await writeTarget(input.file_path as string, context)
    if (isOutput(target)) return target
    const { shown, real } = target.place
    if (!target.now) return failed(`${shown} does not exist. A new file is made with Write.`)
    if (real.endsWith('.ipynb')) return failed(`${shown} is a notebook: change its cells with NotebookEdit.`)
    const file = decodeText(target.now.bytes)
    if (!file) return failed(`${shown} is binary, not text.`)
    const after = edited(file, shown, old, fresh, input.replace_all === true)
    return Buffer.isBuffer(after) ? { target, after } : after
  },
)

function edited(file: TextFile, shown: string, old: string, fresh: string, all: boolean): Buffer | ToolOutput {
  const { encoding, text } = file
  if (encoding === 'bytes' && !isAscii(old + fresh)) {
    return failed(`${shown} is neither UTF-8 nor UTF-16: only ASCII text can be replaced in it, and only by ASCII text.`)
  }
  const outcome = replaced(text, old, fresh, all)
  if (outcome.kind === 'missing') return failed(`old_string is not in ${shown}.${hint(text, old)}`)
  if (outcome.kind === 'ambiguous') {
    const { times, lines } = outcome
    const where = `lines ${lines.join(', ')}${times > lines.length ? ' …' : ''}`
    const count = times === MOST ? `${times} times or more` : `${times} times`
    return failed(`old_string is in ${shown} ${count} (${where}). Give more of the text around it, or set replace_all.`)
  }
  if (outcome.text === text) return failed(`${shown} would stay as it is: there is nothing to change.`)
  const after = encodeText({ encoding, text: outcome.text })
  // A lone surrogate has no UTF-8, and would take the place of something else.
  return decodeText(after)?.text === outcome.text ? after : failed(`new_string holds characters that ${shown} cannot hold.`)
}

/** What is probably wrong with a text that is not in the file. */
function hint(text: string, old: string): string {
  if (/^\s*\d+\t/.test(old)) return ' Leave out the line numbers that Read puts before each line.'
  const plain = (value: string) => value.replace(/\s+/g, ' ').trim()
  if (plain(old) !== '' && plain(text).includes(plain(old))) return ' It is there with other blanks or line ends: copy it exactly.'
  if (plain(text).toLowerCase().includes(plain(old).toLowerCase())) return ' It is there with other capital letters.'
  return ' Read the file again and copy the text exactly.'
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}
