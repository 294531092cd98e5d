import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notebookEditTool } from '../../../runner/tools/notebook-edit.ts'
import { readTool } from '../../../runner/tools/read.ts'
import type { ToolInput } from '../../../runner/tools/tool.ts'
import { folder } from '../stage.ts'
import { call, toolContext } from './use.ts'

/** With numbers and escapes that JSON.stringify would write otherwise. */
const BOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "one",
   "metadata": {"x": 1.0, "y": "\\u00e9"},
   "source": ["# One\\n", "text"]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "two",
   "metadata": {},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": "}],"}],
   "source": "1 + 1"
  }
 ],
 "metadata": {"big": 12345678901234567890, "cells": [1]},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

async function changed(text: string, ...inputs: ToolInput[]): Promise<{ text: string; said: string; isError: boolean }> {
  const cwd = await folder({ 'a.ipynb': '' })
  writeFileSync(join(cwd, 'a.ipynb'), text)
  const context = await toolContext(cwd)
  await call(readTool, context, { file_path: 'a.ipynb' })
  let output = { text: '', isError: false }
  for (const input of inputs) output = await call(notebookEditTool, context, { notebook_path: 'a.ipynb', ...input })
  return { text: readFileSync(join(cwd, 'a.ipynb'), 'utf8'), said: output.text, isError: output.isError }
}

const [HEAD, REST] = BOOK.split('  {\n   "cell_type": "code"') as [string, string]
const TAIL = REST.slice(REST.indexOf('\n ],'))

test('a cell gets a new text and loses its outputs, and every other byte of the notebook stays', async () => {
  const { text } = await changed(BOOK, { cell_id: 'two', new_source: 'a\nb' })
  expect(text.startsWith(HEAD) && text.endsWith(TAIL)).toBe(true)
  expect(text.slice(HEAD.length, -TAIL.length)).toBe(
    '  {\n   "cell_type": "code",\n   "execution_count": null,\n   "id": "two",\n   "metadata": {},\n   "outputs": [],\n   "source": "a\\nb"\n  }',
  )
})

test('a list of lines stays a list, and code that becomes Markdown has no outputs', async () => {
  const first = JSON.parse((await changed(BOOK, { cell_id: 'one', new_source: 'a\n\nb\n' })).text) as { cells: { source: unknown }[] }
  expect(first.cells[0]!.source).toEqual(['a\n', '\n', 'b\n'])
  const second = JSON.parse((await changed(BOOK, { cell_id: 'two', new_source: 'x', cell_type: 'markdown' })).text) as { cells: unknown[] }
  expect(second.cells[1]).toEqual({ cell_type: 'markdown', id: 'two', metadata: {}, source: 'x' })
})

test('cells are inserted at the beginning and behind another, and deleted at both ends and alone', async () => {
  const cells = (text: string) => (JSON.parse(text) as { cells: { id?: string; source: unknown }[] }).cells
  const insert = { edit_mode: 'insert', cell_type: 'markdown', new_source: 'new' }
  const front = await changed(BOOK, insert)
  expect(cells(front.text).map(({ source }) => source)).toEqual([['new'], ['# One\n', 'text'], '1 + 1'])
  const behind = await changed(BOOK, { ...insert, cell_id: 'one' })
  expect(cells(behind.text).map(({ source }) => source)).toEqual([['# One\n', 'text'], ['new'], '1 + 1'])
  expect(cells(behind.text)[1]!.id).toMatch(/^[0-9a-f]{8}$/)
  expect((await changed(BOOK, { ...insert, cell_id: 'one' })).text).toBe(behind.text)
  const drop = (cell_id: string) => ({ edit_mode: 'delete', new_source: '', cell_id })
  expect(cells((await changed(BOOK, drop('one'))).text).map(({ id }) => id)).toEqual(['two'])
  expect(cells((await changed(BOOK, drop('two'))).text).map(({ id }) => id)).toEqual(['one'])
  const none = await changed(BOOK, drop('one'), drop('two'))
  expect(cells(none.text)).toEqual([])
  expect(none.text.endsWith(TAIL)).toBe(true)
  expect(cells((await changed(BOOK, drop('one'), drop('two'), insert)).text)).toHaveLength(1)
})

test('a notebook on one line, one with CRLF and one without ids keep their form', async () => {
  const plain =
    '{"cells":[{"cell_type":"code","metadata":{},"source":"a","outputs":[],"execution_count":1}],"metadata":{},"nbformat":4,"nbformat_minor":4}'
  expect((await changed(plain, { cell_id: 'cell-1', new_source: 'b' })).text).toBe(
    '{"cells":[{"cell_type":"code","metadata":{},"source":"b","outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":4}',
  )
  const { text } = await changed(BOOK.replaceAll('\n', '\r\n'), { cell_id: 'two', new_source: 'b' })
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

test('what cannot be done is said: no such cell, no type, no notebook, not read, changed', async () => {
  expect((await changed(BOOK, { cell_id: 'three', new_source: '' })).said).toBe('a.ipynb has no cell three. It has one, two.')
  expect((await changed(BOOK, { new_source: '' })).said).toMatch(/has no cell undefined/)
  expect((await changed(BOOK, { edit_mode: 'insert', new_source: '' })).said).toMatch(/cell_type is needed/)
  for (const text of [
    '',
    '[]',
    '{"nbformat":3,"cells":[]}',
    '{"nbformat":4,"cells":[1]}',
    '{"nbformat":4,"cells":[{"cell_type":"code"}]}',
  ]) {
    expect((await changed(text, { cell_id: 'one', new_source: '' })).said).toBe('a.ipynb is not a notebook of nbformat 4.')
  }
  const cwd = await folder({ 'a.ipynb': BOOK })
  const context = await toolContext(cwd)
  const input = { notebook_path: 'a.ipynb', cell_id: 'one', new_source: '' }
  expect((await call(notebookEditTool, context, input)).text).toMatch(/has not been read/)
})
