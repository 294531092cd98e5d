import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, broken } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { jsonReport } from '../../compiler/report/json.ts'
import { prettyFinding } from '../../compiler/report/pretty.ts'
import { styler } from '../../compiler/report/style.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { CLAUDE_CODE } from '../../schemas/claude-code.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'
import { agentFile, tree } from '../support/arbitrary.ts'

/** Longer than any file of a megabyte should take; a hang is a fault. */
const LIMIT_MS = 1000

async function holds(files: Record<string, string | Uint8Array>): Promise<void> {
  const root = temporary()
  mkdirSync(join(root, 'project/.git'), { recursive: true })
  for (const [path, content] of Object.entries(files)) put(root, path, content)
  for (const profile of [undefined, CLAUDE_CODE]) {
    const started = performance.now()
    const compilation = await compile(optionsFor(root, profile && { profile }))
    expect(performance.now() - started).toBeLessThan(LIMIT_MS)
    for (const { at, related, fix } of compilation.diagnostics) {
      const ranges = [at, ...(related ?? []).map((other) => other.at), ...(fix?.edits ?? []).map(({ range }) => ({ ...at, range }))]
      for (const { text, range } of ranges) {
        expect(range[0]).toBeGreaterThanOrEqual(0)
        expect(range[1]).toBeGreaterThanOrEqual(range[0])
        expect(range[1]).toBeLessThanOrEqual(text.length)
      }
    }
    expect(jsonReport(compilation.diagnostics, 0).diagnostics).toHaveLength(compilation.diagnostics.length)
    for (const item of compilation.diagnostics) expect(prettyFinding(item, styler(false))).toContain(item.code)
    if (profile) continue
    const text = manifestText(compilation, broken(compilation))
    expect(readManifest(text).names).toEqual(
      [...compilation.resolution.agents.keys()].filter((name) => !broken(compilation).has(name)).sort(),
    )
  }
}

describe('fuzzing', () => {
  it('no agent file, whatever its fields hold, throws, hangs or gives a place outside its file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(agentFile, { minLength: 12, maxLength: 12 }), (files) =>
        holds(Object.fromEntries(files.map((text, i) => [`project/.claude/agents/a${i}.md`, text]))),
      ),
      { numRuns: 1500, seed: 1 },
    )
  })

  it('no tree of any files in any layer throws, hangs or gives a place outside its file', async () => {
    await fc.assert(fc.asyncProperty(tree, holds), { numRuns: 1000, seed: 2 })
  })
})
