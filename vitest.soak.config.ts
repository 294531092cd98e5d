import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts', 'test/run/permission/evasion.test.ts', 'test/run/delegation/rights.test.ts'],
    env: { AGENTC_SOAK: '1' },
    reporters: ['default', './test/support/closing-line.ts'],
    setupFiles: ['./test/support/setup.ts'],
    testTimeout: 580_000,
    maxWorkers: 2,
  },
})
