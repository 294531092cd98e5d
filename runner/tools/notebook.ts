/** A Jupyter notebook, as far as it is looked at (nbformat 4). */
export interface Notebook {
  nbformat: number
  nbformat_minor: number
  cells: Cell[]
}

export interface Cell {
  id?: string
  cell_type: string
  source: string | string[]
  outputs?: { output_type?: string; text?: string | string[]; data?: Record<string, unknown>; ename?: string; evalue?: string }[]
  [member: string]: unknown
}

const OUTPUT_CHARS = 5000

/** Reads the text of a notebook; `undefined` if it is none of a form that is known. A byte order mark is passed over. */
export function readNotebook(text: string): Notebook | undefined {
  try {
    const book = JSON.parse(text.replace(/^\uFEFF/, '')) as Notebook | null
    const known = book !== null && book.nbformat === 4 && Array.isArray(book.cells) && book.cells.every(isCell)
    return known ? book : undefined
  } catch {
    return undefined
  }
}

function isCell(cell: Cell | null): boolean {
  return typeof cell === 'object' && cell !== null && typeof cell.cell_type === 'string' && isText(cell.source)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((line) => typeof line === 'string'))
}

/** By what a cell is called: its id, or its number where notebooks had none yet. */
export function cellId(cell: Cell, at: number): string {
  return typeof cell.id === 'string' ? cell.id : `cell-${at + 1}`
}

/** A notebook cell by cell, with the texts of its outputs; `undefined` if it is none: then the file is shown as it is. */
export function shownNotebook(text: string): string | undefined {
  const book = readNotebook(text)
  return book && book.cells.map((cell, at) => `${headOf(cell, at)}\n${joined(cell.source)}${outputsOf(cell)}`).join('\n\n')
}

function headOf(cell: Cell, at: number): string {
  return `[cell ${cellId(cell, at)}, ${cell.cell_type}]`
}

function outputsOf({ outputs }: Cell): string {
  if (!Array.isArray(outputs) || outputs.length === 0) return ''
  return `\n[output]\n${outputs.map(outputText).join('\n').trimEnd()}`
}

function outputText({ text, data, ename, evalue }: NonNullable<Cell['outputs']>[number]): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`
  const plain = text ?? data?.['text/plain']
  const others = Object.keys(data ?? {}).filter((type) => type !== 'text/plain')
  const note = others.length > 0 ? `[left out: ${others.join(', ')}]` : ''
  const shown = isText(plain) ? joined(plain as string) : ''
  const cut =
    shown.length > OUTPUT_CHARS ? `${shown.slice(0, OUTPUT_CHARS)}\n[${shown.length - OUTPUT_CHARS} more characters left out]` : shown
  return [cut, note].filter((part) => part !== '').join('\n')
}

function joined(text: string | string[]): string {
  return typeof text === 'string' ? text : text.join('')
}
