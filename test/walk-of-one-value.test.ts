import { expect, test } from 'vitest'
import { compile } from '../compiler/compile.ts'
import { manifestText } from '../compiler/emit/manifest-of.ts'
import { define } from '../compiler/define/define.ts'
import { discover } from '../compiler/discover/discover.ts'
import { DISK } from '../compiler/discover/file-system.ts'
import { entryOf } from '../compiler/parse/node.ts'
import { parse } from '../compiler/parse/parse.ts'
import { jsonReport } from '../compiler/report/json.ts'
import { prettyFinding } from '../compiler/report/pretty.ts'
import { styler } from '../compiler/report/style.ts'
import { fakeApi, runToEnd } from './run/stage.ts'
import { readManifest } from '../schemas/manifest.ts'
import { project } from './support/bin.ts'
import { optionsFor } from './support/tree.ts'

/** `tools: "Read, Grpe"` on its whole way: from bytes to the request of a run, and to the caret under the very word. */

const TEXT = `---
name: reader
description: Reads.
tools: "Read, Grpe"
---

You read.
`
const AT = TEXT.indexOf('Grpe')

test('the walk of one value', async () => {
  const cwd = project({ '.claude/agents/reader.md': TEXT })
  const options = optionsFor(`${cwd}/..`, { layers: ['project'] })

  // The bytes become text, and nothing is understood yet.
  const [file] = discover(options, DISK).files
  expect(file).toMatchObject({ origin: { source: 'project', path: '.claude/agents/reader.md' }, text: TEXT })

  // The text becomes a node, whose range holds the quotes.
  const [document] = await parse([file!])
  const node = entryOf(document!.root!, 'tools')!.value
  expect(node).toMatchObject({ kind: 'scalar', value: 'Read, Grpe' })
  expect(TEXT.slice(...node.range)).toBe('"Read, Grpe"')

  // The node becomes entries, each with the range of its own word. What the words mean is not asked yet.
  const { agents, diagnostics } = define([document!])
  const { tools } = agents[0]!
  if (tools.kind !== 'only') throw new Error('a list was written')
  expect(tools.entries.map(({ name, range }) => [name, TEXT.slice(...range)])).toEqual([
    ['Read', 'Read'],
    ['Grpe', 'Grpe'],
  ])
  expect(tools.entries[1]!.range).toEqual([AT, AT + 4])
  expect(diagnostics).toEqual([])

  // The rules know the tools, and point at the word without looking for it again.
  const compilation = await compile(options)
  expect(compilation.diagnostics).toHaveLength(1)
  const finding = compilation.diagnostics[0]!
  expect(finding).toMatchObject({ code: 'tool/unknown', severity: 'warning', at: { range: [AT, AT + 4] } })
  expect(finding.fix?.edits).toEqual([{ range: [AT, AT + 4], text: 'Grep' }])

  // For people: the caret stands under the word. For programs: line and column, both from 1.
  const lines = prettyFinding(finding, styler(false)).split('\n')
  expect(lines[1]).toBe('  --> .claude/agents/reader.md:4:15')
  const written = lines.findIndex((line) => line.includes('tools:'))
  expect(lines[written + 1]!.indexOf('^')).toBe(lines[written]!.indexOf('Grpe'))
  expect(lines[written + 1]).toMatch(/^ +\| +\^{4}$/)
  expect(jsonReport([finding], 1).diagnostics[0]!.range).toEqual({ start: { line: 4, column: 15 }, end: { line: 4, column: 19 } })

  // The manifest holds views: what the word meant, and no trace of the text.
  const text = manifestText(compilation)
  expect(text).not.toContain('Grpe')
  const { header, agents: open } = readManifest(text)
  const agent = open.get('reader')!
  expect(agent.toolViews.main).toEqual({ tools: ['Read'], mcp: [], mcpDeny: [] })
  expect(agent.provenance['tools']).toMatchObject({ path: '.claude/agents/reader.md', line: 4, column: 8 })

  // The request offers the tools of the view, each as the manifest describes it.
  const api = await fakeApi({ turns: [{ text: 'Done.' }] })
  await runToEnd({ header, name: 'reader', agent, prompt: 'Read it.' }, { cwd, url: api.url })
  const requests = await api.requests()
  expect(requests).toHaveLength(1)
  const { description, input_schema } = header.tools['Read']!
  expect(requests[0]!.tools).toEqual([{ name: 'Read', description, input_schema }])
})
