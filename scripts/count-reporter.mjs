import { writeFileSync } from 'node:fs'

/** Leaves the numbers of a test run where the script that started it can add them up. */
export default class CountReporter {
  onInit(vitest) {
    // Asked for by name, the other tests are left out on purpose. In every other run a skipped test fails.
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
