import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesOnlyWhatCameFromIt, treeAndFile } from '../support/removal.ts'

test('removing any single source file changes only what provenance says came from it', async () => {
  await fc.assert(fc.asyncProperty(treeAndFile, changesOnlyWhatCameFromIt), { numRuns: 30, seed: 4 })
}, 60_000)

test('the generator reaches every kind of file, and trees in which several files have a say', () => {
  const trees = fc.sample(treeAndFile, { numRuns: 300, seed: 4 })
  const kinds = new Set(trees.map(([, gone]) => gone.replace(/\/[abc]\.md$/, '/x.md')))
  expect(kinds.size).toBe(21)
  expect(trees.filter(([files]) => Object.keys(files).filter((path) => path.endsWith('/a.md')).length > 1).length).toBeGreaterThan(50)
})
