import { afterAll, afterEach } from 'vitest'
import { endStarted } from './bin.ts'
import { removeTemporary } from './tree.ts'

// Several files of tests run in one process after another and share what they import, so this is said anew for each of them.
afterEach(endStarted)
afterAll(removeTemporary)
