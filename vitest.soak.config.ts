import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 580_000,
    maxWorkers: 2,
  },
})
