import { sha256 } from '../../schemas/canonical.ts'
import { itemSpans, type Span } from './json-span.ts'
import { type Cell, cellId, type Notebook, readNotebook } from './notebook.ts'
import { writeTarget } from './target.ts'
import { decodeText, encodeText } from './text-file.ts'
import { failed, isOutput, type ToolInput, type ToolOutput } from './tool.ts'
import { writingTool } from './writing.ts'

/**
 * Replaces, inserts or deletes one cell of a notebook. Everything outside the cell keeps its bytes. A cell whose text changes loses its
 * outputs: they are those of another program.
 */
export const notebookEditTool = writingTool(
  (input) => input.notebook_path as string,
  async (input, context) => {
    const target = await writeTarget(input.notebook_path as string, context)
    if (isOutput(target)) return target
    const { shown } = target.place
    if (!shown.endsWith('.ipynb')) return failed(`${shown} is not a notebook (.ipynb): change it with Edit.`)
    if (!target.now) return failed(`${shown} does not exist.`)
    const file = decodeText(target.now.bytes)
    const book = file && readNotebook(file.text)
    if (!file || !book) return failed(`${shown} is not a notebook of nbformat 4.`)
    const text = changed(file.text, book, shown, input)
    return typeof text === 'string' ? { target, after: encodeText({ ...file, text }) } : text
  },
)

function changed(text: string, book: Notebook, shown: string, input: ToolInput): string | ToolOutput {
  const spans = itemSpans(text, 'cells')
  if (!spans) return failed(`${shown} has no list of cells.`)
  const { cell_id: id, edit_mode: mode = 'replace', cell_type: type } = input
  const at = book.cells.findIndex((cell, index) => cellId(cell, index) === id)
  if (at < 0 && (id !== undefined || mode !== 'insert')) return failed(`${shown} has no cell ${String(id)}. ${listed(book)}`)
  if (mode === 'insert') {
    if (type === undefined) return failed('cell_type is needed for a new cell: code or markdown.')
    return inserted(text, spans, at, fresh(book, at, type as string, input.new_source as string))
  }
  if (mode === 'delete') return deleted(text, spans.items, at)
  const cell = rewritten(book.cells[at]!, input)
  return splice(text, spans.items[at]!, layedOut(cell, text, spans.items[at]![0]))
}

function listed({ cells }: Notebook): string {
  if (cells.length === 0) return 'It has no cells; edit_mode insert without cell_id makes the first one.'
  const ids = cells.slice(0, 50).map(cellId)
  return `It has ${ids.join(', ')}${cells.length > ids.length ? ' …' : ''}.`
}

/** The cell with its new text, in the form that its source had: a list of lines, or one text. */
function rewritten(cell: Cell, { new_source: source, cell_type: type }: ToolInput): Cell {
  const kind = (type as string | undefined) ?? cell.cell_type
  const { outputs: _, execution_count: __, ...rest } = cell
  const text = typeof cell.source === 'string' ? (source as string) : linesOf(source as string)
  const plain: Cell = { ...(kind === 'code' ? cell : rest), cell_type: kind, source: text } as Cell
  return kind === 'code' ? { ...plain, execution_count: null, outputs: [] } : plain
}

/** A new cell. Its id comes from its place and text, not from chance, so that the same call gives the same file; before 4.5 there were no ids. */
function fresh(book: Notebook, after: number, type: string, source: string): Cell {
  const taken = new Set(book.cells.map(cellId))
  let id = ''
  for (let salt = 0; id === '' || taken.has(id); salt++)
    id = sha256(`${after} ${salt} ${source}`).slice('sha256:'.length, 'sha256:'.length + 8)
  const code = type === 'code' ? { execution_count: null, outputs: [] } : {}
  return { cell_type: type, ...code, ...(book.nbformat_minor >= 5 && { id }), metadata: {}, source: linesOf(source) }
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '')
}

function inserted(text: string, { list, items }: { list: Span; items: Span[] }, after: number, cell: Cell): string {
  const anchor = items[after] ?? items[0]
  if (!anchor) {
    const outer = marginAt(text, list[0])
    const margin = `${outer.lineEnd}${outer.indent}${outer.unit}`
    return splice(text, list, `[${margin}${layedOut(cell, text, list[0], outer.unit)}${outer.lineEnd}${outer.indent}]`)
  }
  const { lineEnd, indent } = marginAt(text, anchor[0])
  const body = layedOut(cell, text, anchor[0])
  if (after < 0) return splice(text, [anchor[0], anchor[0]], `${body},${lineEnd}${indent}`)
  return splice(text, [anchor[1], anchor[1]], `,${lineEnd}${indent}${body}`)
}

function deleted(text: string, items: readonly Span[], at: number): string {
  const [before, here, after] = [items[at - 1], items[at]!, items[at + 1]]
  if (after) return splice(text, [here[0], after[0]], '')
  return splice(text, before ? [before[1], here[1]] : here, '')
}

function splice(text: string, [start, end]: Span, part: string): string {
  return `${text.slice(0, start)}${part}${text.slice(end)}`
}

/** A cell as JSON, laid out like the file around it. */
function layedOut(cell: Cell, text: string, at: number, more = ''): string {
  const { lineEnd, indent, unit } = marginAt(text, at)
  return unit === '' ? JSON.stringify(cell) : JSON.stringify(cell, null, unit).replaceAll('\n', `${lineEnd}${indent}${more}`)
}

/** How the line is indented in which a value begins, what ends lines, and by what the file is indented; all empty for a file on one line. */
function marginAt(text: string, at: number): { lineEnd: string; indent: string; unit: string } {
  const unit = /^\uFEFF?\{\s*?\n([ \t]+)/.exec(text)?.[1] ?? ''
  if (unit === '') return { lineEnd: '', indent: '', unit }
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', indent: /^[ \t]*/.exec(line)![0], unit }
}
