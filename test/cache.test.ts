import { test } from 'vitest'
import { model } from './support/cache-model.ts'

test.each([1, 2])('after forty random changes what was kept has never changed a result (seed %d)', (seed) => model(seed, 40, 15), 120_000)
