import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**', 'test/bench/**'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 30_000,
    // Many tests wait for processes most of their time, so two cores have room for a third worker.
    maxWorkers: 3,
  },
})
