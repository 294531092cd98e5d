import type { Reporter, TestModule } from 'vitest/node'

/** Prints the closing line `N passed, N failed, N skipped`, which vitest has none of. A file that cannot be loaded counts as failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) counts[test.result().state] += 1
    }
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
