import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**', 'test/bench/**'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
})
