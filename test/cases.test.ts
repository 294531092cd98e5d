import { describe, expect, it } from 'vitest'
import { listEntries } from '../compiler/commands/list.ts'
import { compile, type Compilation } from '../compiler/compile.ts'
import type { CompileOptions } from '../compiler/options.ts'
import { jsonReport } from '../compiler/report/json.ts'
import type { JsonDiagnostic, ListEntry } from '../schemas/shapes/output.ts'
import { caseNames, caseOptions, expectation, layCase, sessionLock, type ExpectedAgent, type ExpectedDiagnostic } from './support/case.ts'

/** The compile-time part of every case: what must be reported, that nothing else is, and what the agents come to. */
describe('the cases from public reports', () => {
  it.each(caseNames())('%s', async (name) => {
    expect(await faultsOf(name)).toEqual([])
  })
})

describe('the cases, once the servers and tools of the session are known', () => {
  it.each(caseNames().filter((name) => expectation(name).with_session))('%s', async (name) => {
    const { with_session: session, ...expected } = expectation(name)
    const root = layCase(name)
    expect(await faultsOf(name, { ...expected, ...session }, root, { mcpLock: sessionLock(root) })).toEqual([])
  })
})

async function faultsOf(
  name: string,
  expected = expectation(name),
  root = layCase(name),
  more: Partial<CompileOptions> = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const cwd of expected.cwd.split(', then ')) {
    const compilation = await compile({ ...caseOptions(root, cwd), ...more })
    const { diagnostics, summary } = jsonReport(compilation.diagnostics, 0)
    faults.push(...diagnosticFaults(expected.diagnostics, diagnostics))
    const exit = summary.errors > 0 ? 1 : 0
    if (expected.exit !== undefined && exit !== expected.exit) faults.push(`exit ${exit} instead of ${expected.exit}`)
    const list = new Map(listEntries(compilation).map((entry) => [entry.name, entry]))
    for (const [agent, values] of Object.entries(expected.agents ?? {}))
      faults.push(...agentFaults(agent, values, list.get(agent), cwd, compilation))
  }
  return faults
}

function diagnosticFaults(expected: ExpectedDiagnostic[], found: JsonDiagnostic[]): string[] {
  const left = [...found]
  const faults: string[] = []
  for (const want of expected) {
    const at = left.findIndex((item) => fits(want, item))
    if (at < 0) faults.push(`missing ${JSON.stringify(want)}`)
    else left.splice(at, 1)
  }
  const extra = left
    .filter(({ severity }) => severity !== 'info')
    .map((item) => `extra ${item.severity} ${item.code} ${item.file}:${item.range.start.line}`)
  return [...faults, ...extra]
}

function fits(want: ExpectedDiagnostic, item: JsonDiagnostic): boolean {
  const { line, column } = item.range.start
  const [from, to] = want.line_between ?? [want.line ?? line, want.line ?? line]
  const said = JSON.stringify([item.message, item.help, item.related, item.file])
  const name = want.file.slice(want.file.lastIndexOf('/') + 1)
  return (
    want.severity.split('|').includes(item.severity) &&
    item.file.endsWith(name) &&
    line >= from &&
    column === (want.column ?? column) &&
    line <= to &&
    (want.message_mentions ?? []).every((mention) => said.includes(mention))
  )
}

const PLAIN = new Set(['source', 'description', 'model', 'effort'])

function agentFaults(
  name: string,
  want: ExpectedAgent | null,
  entry: ListEntry | undefined,
  cwd: string,
  compilation: Compilation,
): string[] {
  const active = entry?.status === 'active' ? entry : undefined
  if (want === null) return active ? [`${name} is there`] : []
  if (!active) return [`${name} is not there`]
  const faults: string[] = []
  const check = (key: string, got: unknown, wanted: unknown): void => {
    if (JSON.stringify(got ?? null) !== JSON.stringify(wanted))
      faults.push(`${name}.${key} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`)
  }
  const { definition, prompt, skills, spawns, overrides } = compilation.resolution.agents.get(name)!
  for (const [key, value] of Object.entries(want)) {
    const [where, field] = key.includes('.') ? (key.split('.') as [string, string]) : [cwd, key]
    if (where !== cwd) continue
    if (PLAIN.has(field) && field !== 'model') check(key, active[field as 'source'], value)
    else if (field === 'model') check(key, value === 'haiku' ? active.model?.includes('haiku') && 'haiku' : active.model, value)
    else if (field === 'prompt') check(key, prompt, value)
    else if (field === 'spawnable') check(key, spawns, value)
    else if (field === 'skills') check(key, skills, value)
    else if (field === 'memory' || field === 'permissionMode' || field === 'hooks' || field === 'mcpServers')
      check(key, definition[field]?.value, value)
    else if (field === 'overrides')
      check(
        key,
        overrides.map(({ file }) => file.origin.path.split('/').at(-1)),
        (value as string[]).map((path) => path.split('/').at(-1)),
      )
    else if (field === 'chain')
      check(
        key,
        [definition, ...overrides].map(({ file }) => file.origin.source),
        value,
      )
    else if (!field.startsWith('tools') && field !== 'view') faults.push(`${name}.${key} is not checked`)
  }
  return [...faults, ...toolFaults(name, want, active)]
}

function toolFaults(name: string, want: ExpectedAgent, { tools }: ListEntry): string[] {
  const view = tools[want.view ?? 'sub']
  const faults: string[] = []
  if (want.tools && JSON.stringify([...want.tools].sort()) !== JSON.stringify([...view].sort()))
    faults.push(`${name}.tools is ${view.join()}, not ${want.tools.join()}`)
  faults.push(...(want.tools_include ?? []).filter((tool) => !view.includes(tool)).map((tool) => `${name} lacks ${tool}`))
  faults.push(...(want.tools_exclude ?? []).filter((tool) => view.includes(tool)).map((tool) => `${name} has ${tool}`))
  return faults
}
