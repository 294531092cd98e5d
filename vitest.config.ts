import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**', 'test/bench/**'],
    reporters: ['default', './test/support/closing-line.ts'],
    setupFiles: ['./test/support/setup.ts'],
    testTimeout: 30_000,
    // The program's modules are loaded once a worker: what a file of tests leaves is removed by its setup, and nothing else is kept.
    isolate: false,
    // Many tests wait for processes most of their time, so two cores have room for four workers.
    maxWorkers: 4,
  },
})
