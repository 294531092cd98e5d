import fc from 'fast-check'
import { test } from 'vitest'
import { changesOnlyWhatCameFromIt, treeAndFile } from '../support/removal.ts'

test('removing any single source file changes only what provenance says came from it, in many trees', async () => {
  await fc.assert(fc.asyncProperty(treeAndFile, changesOnlyWhatCameFromIt), { numRuns: 2000, seed: 5 })
})
