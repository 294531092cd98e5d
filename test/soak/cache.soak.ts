import { test } from 'vitest'
import { model } from '../support/cache-model.ts'

test.each([11, 12, 13, 14])('after five hundred random changes what was kept has never changed a result (seed %d)', (seed) =>
  model(seed, 500, 25),
)
