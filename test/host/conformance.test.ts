import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listEntries } from '../../compiler/commands/list.ts'
import { compile } from '../../compiler/compile.ts'
import type { CompileOptions } from '../../compiler/options.ts'
import { lockText } from '../../compiler/servers/lock-file.ts'
import { CLAUDE_CODE } from '../../schemas/claude-code.ts'
import { lockedToolHash } from '../../schemas/mcp-tools.ts'
import type { LockedTool } from '../../schemas/shapes/server.ts'
import type { ListEntry } from '../../schemas/shapes/output.ts'
import { expectPart } from '../support/document.ts'
import { link, optionsFor, put, ROOT, temporary } from '../support/tree.ts'
import { ROWS, type Difference } from './differences.ts'

/** What the real program was seen to do: see `test/conformance/README.md`. */
const DATA = join(ROOT, 'test/conformance')
const VERSION = 'claude-code@2.1.332'

interface Tree {
  cwd: string
  args?: { pluginDirs?: string[]; flagAgents?: Record<string, unknown> }
  files: Record<string, string>
  base64Files?: Record<string, string>
  symlinks?: Record<string, string>
  observed: Record<string, { agents: Record<string, Observed> }>
}

interface Observed {
  description?: string
  subagentTools?: string[]
  model?: string
  effort?: string | null
}

async function listOf(root: string, cwd: string, more: Partial<CompileOptions> = {}): Promise<Map<string, ListEntry>> {
  mkdirSync(join(root, 'project/.git'), { recursive: true })
  const compilation = await compile(optionsFor(root, { cwd: join(root, cwd), profile: CLAUDE_CODE, ...more }))
  return new Map(listEntries(compilation).flatMap((entry) => (entry.status === 'active' ? [[entry.name, entry]] : [])))
}

/** The servers of the observation, each with `query` (which only reads) and `drop-all`, in this order; `own` is what two agents bring along. */
function observedServers(root: string): string {
  const tool = (name: string, readOnly: boolean): LockedTool => {
    const rest = { name, description: '', input_schema: { type: 'object' }, ...(readOnly && { readOnly }) }
    return { ...rest, hash: lockedToolHash(rest) }
  }
  const both = [tool('query', true), tool('drop-all', false)]
  const servers = { db: both, 'my server': both }
  put(root, 'lock.json', lockText({ agentc: 1, servers, agents: { minl: { own: both }, minldis: { own: both } } }))
  return join(root, 'lock.json')
}

async function treeDifferences(tree: string): Promise<Difference[]> {
  const data = JSON.parse(readFileSync(join(DATA, `resolve/${tree}.json`), 'utf8')) as Tree
  const root = temporary()
  for (const [path, text] of Object.entries(data.files)) put(root, path, text)
  for (const [path, text] of Object.entries(data.base64Files ?? {})) put(root, path, Buffer.from(text, 'base64'))
  for (const [path, target] of Object.entries(data.symlinks ?? {})) link(root, path, target)
  const list = await listOf(root, data.cwd, {
    pluginDirs: (data.args?.pluginDirs ?? []).map((folder) => join(root, folder)),
    ...(data.args?.flagAgents && { agentsFlag: JSON.stringify(data.args.flagAgents) }),
    ...(tree === 'plugin-mcp' && { mcpLock: observedServers(root) }),
  })
  const { agents } = data.observed[VERSION]!
  return [...new Set([...list.keys(), ...Object.keys(agents)])].flatMap((name) => compared(tree, name, list.get(name), agents[name]))
}

function compared(tree: string, agent: string, ours: ListEntry | undefined, theirs: Observed | undefined): Difference[] {
  const found: Difference[] = []
  const compare = (field: Difference['field'], agentc: string, claudeCode: string): void => {
    if (agentc !== claudeCode) found.push({ tree, agent, field, agentc, claudeCode })
  }
  compare('active', String(ours !== undefined), String(theirs !== undefined))
  if (!ours || !theirs) return found
  const mcp = (name: string): boolean => name !== 'mcp__*'
  if (theirs.subagentTools) compare('tools', ours.tools.sub.filter(mcp).join(', '), theirs.subagentTools.join(', '))
  if (theirs.model !== undefined) {
    compare('model', ours.model ?? '', theirs.model)
    compare('effort', String(ours.effort ?? null), String(theirs.effort ?? null))
  }
  if (theirs.description !== undefined) compare('description', ours.description, theirs.description)
  return found
}

function table(file: string): Record<string, string>[] {
  const [head, ...rows] = readFileSync(join(DATA, 'probes', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  return rows.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i] ?? ''])))
}

async function probes(folder: string): Promise<Map<string, ListEntry>> {
  const root = temporary()
  cpSync(join(DATA, 'probes', folder), join(root, 'project/.claude/agents'), { recursive: true })
  return listOf(root, 'project')
}

async function loadDifferences(): Promise<Difference[]> {
  const list = await probes('load')
  return table('load.tsv').flatMap(({ expected_name: agent, 'loaded_2.1.332': loaded }): Difference[] => {
    const [agentc, claudeCode] = [String(list.get(agent!)?.source === 'project'), String(loaded === 'yes')]
    return agentc === claudeCode ? [] : [{ tree: 'probes/load', agent: agent!, field: 'active', agentc, claudeCode }]
  })
}

/** The probes were started as the main agent, where the program calls Agent by its old name. */
async function resolveDifferences(): Promise<Difference[]> {
  const list = await probes('resolve')
  const mainTools = (name: string): string =>
    list
      .get(name)
      ?.tools.main.filter((tool) => tool !== 'mcp__*')
      .map((tool) => (tool === 'Agent' ? 'Task' : tool))
      .join(', ') ?? 'NOT LOADED'
  const whole = mainTools('p00')
  return table('resolve.tsv').flatMap(({ agent, resolved_tools: tools, model }): Difference[] => {
    const claudeCode = tools === 'ALL(22)' ? whole : tools === '(none)' ? '' : tools!.replaceAll(',', ', ')
    const found: Difference[] = []
    if (mainTools(agent!) !== claudeCode)
      found.push({ tree: 'probes/resolve', agent: agent!, field: 'tools', agentc: mainTools(agent!), claudeCode })
    const ours = list.get(agent!)?.model
    if (ours !== undefined && ours !== model)
      found.push({ tree: 'probes/resolve', agent: agent!, field: 'model', agentc: ours, claudeCode: model! })
    return found
  })
}

describe('under --target claude-code', async () => {
  const trees = await Promise.all(['tools', 'fields', 'discovery', 'plugin-mcp'].map(treeDifferences))
  const differences = [...trees.flat(), ...(await loadDifferences()), ...(await resolveDifferences())]

  it('every difference from what was observed is a deliberate one, with exactly one cause', () => {
    const unexplained = differences.filter((difference) => ROWS.filter((row) => row.covers(difference)).length !== 1)
    expect(unexplained).toEqual([])
  })

  it('every cause in the table is needed, and there are at most fifteen', () => {
    expect(ROWS.filter((row) => !differences.some(row.covers))).toEqual([])
    expect(ROWS.length).toBeLessThanOrEqual(15)
  })

  it('the pool of 22 tools is the one observed', async () => {
    const list = await probes('resolve')
    expect(list.get('p00')?.tools.main.filter((name) => !name.startsWith('mcp__'))).toHaveLength(22)
  })

  it('ARCHITECTURE.md lists the causes with the observations they cover', () => {
    const lines = ROWS.map((row) => {
      const where = differences.filter(row.covers).map(({ tree, agent, field }) => `${tree}: ${agent} (${field})`)
      return `| ${row.cause} | ${[...new Set(where)].join(', ')} |`
    })
    expectPart('ARCHITECTURE.md', 'differences', ['| cause | observations |', '|---|---|', ...lines].join('\n'))
  })
})
