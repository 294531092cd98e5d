import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTool } from '../../../runner/tools/read.ts'
import { PICTURES } from '../pictures.ts'
import { folder } from '../stage.ts'
import { use } from './use.ts'

test.each(Object.entries(PICTURES))('a picture goes to the model as %s, whatever its file is called', async (media_type, head) => {
  const cwd = await folder()
  const bytes = Buffer.from(head, 'latin1')
  writeFileSync(join(cwd, 'picture'), bytes)
  expect(await use(readTool, cwd, { file_path: 'picture' })).toEqual({
    text: `[picture: ${media_type}, ${bytes.length} bytes]`,
    isError: false,
    images: [{ type: 'base64', media_type, data: bytes.toString('base64') }],
  })
})

test('a picture that is more than the API takes is refused with both sizes', async () => {
  const cwd = await folder()
  writeFileSync(join(cwd, 'a.png'), Buffer.concat([Buffer.from(PICTURES['image/png'], 'latin1'), Buffer.alloc(4_000_000)]))
  const { text, isError } = await use(readTool, cwd, { file_path: 'a.png' })
  expect([isError, text]).toEqual([true, 'a.png is a picture of 4000010 bytes, more than the API takes (3932160).'])
})

test('a PDF file is refused with what to do', async () => {
  const cwd = await folder({ 'a.pdf': '%PDF-1.7\nstream' })
  const { text, isError } = await use(readTool, cwd, { file_path: 'a.pdf' })
  expect([isError, text]).toEqual([true, expect.stringContaining('pdftotext')])
})

test('UTF-16 is shown as the text it is, and bytes that are no UTF-8 as a sign each', async () => {
  const cwd = await folder()
  writeFileSync(join(cwd, 'a.txt'), Buffer.from('\uFEFFgrün\r\nzwei\r\n', 'utf16le'))
  writeFileSync(join(cwd, 'b.txt'), Buffer.from('gr\xFCn\n', 'latin1'))
  expect((await use(readTool, cwd, { file_path: 'a.txt' })).text).toBe('1\tgrün\n2\tzwei')
  expect((await use(readTool, cwd, { file_path: 'b.txt' })).text).toBe('1\tgr\uFFFDn')
})

const BOOK = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'text'] },
    {
      cell_type: 'code',
      id: 'sum',
      metadata: {},
      execution_count: 1,
      source: '1 + 1',
      outputs: [
        { output_type: 'execute_result', data: { 'text/plain': ['2'], 'image/png': 'AAAA' } },
        { output_type: 'stream', text: ['out\n'] },
        { output_type: 'error', ename: 'ValueError', evalue: 'no' },
      ],
    },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
}

test('a notebook is shown cell by cell with the texts of its outputs', async () => {
  const cwd = await folder({ 'a.ipynb': JSON.stringify(BOOK) })
  const { text } = await use(readTool, cwd, { file_path: 'a.ipynb' })
  const lines = text.split('\n').map((line) => line.replace(/^\d+\t/, ''))
  expect(lines).toEqual([
    '[cell intro, markdown]',
    '# Title',
    'text',
    '',
    '[cell sum, code]',
    '1 + 1',
    '[output]',
    '2',
    '[left out: image/png]',
    'out',
    '',
    'ValueError: no',
  ])
})

test('a notebook that is none is shown as the text it is', async () => {
  const cwd = await folder({ 'a.ipynb': '{"cells": 1}' })
  expect((await use(readTool, cwd, { file_path: 'a.ipynb' })).text).toBe('1\t{"cells": 1}')
})
