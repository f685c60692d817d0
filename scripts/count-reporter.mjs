import { writeFileSync } from 'node:fs'

/** Writes the counts of a test run to the file that scripts/test.mjs reads. */
export default class CountReporter {
  onInit(vitest) {
    // A run by name skips the other tests on purpose. In any other run a skipped test counts as failed.
    this.isByName = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules, errors) {
    const target = process.env.TEST_COUNTS
    if (!target) return
    const counts = { passed: 0, failed: errors.length }
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0)
        counts.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') counts.passed++
        else if (state !== 'skipped' || !this.isByName) counts.failed++
      }
    }
    writeFileSync(target, JSON.stringify(counts))
  }
}
