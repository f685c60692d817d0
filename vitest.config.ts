import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A safety net for what never ends. No test is about how long something takes. */
const minutes = 60_000

/**
 * Tests run the programs as `npm start` builds them, loaded by Node itself: transforming and loading
 * their sources took every worker a dozen seconds. `npm test` builds before it tests.
 */
const builtPrograms: Plugin = {
  name: 'built-programs',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    return resolved && { ...resolved, id: builtFile(resolved.id) ?? resolved.id }
  },
}

function builtFile(id: string): string | undefined {
  const [, folder, path] =
    /^(.*\/packages\/(?:cli|core|sandbox|sdk|server))\/src\/(.+)\.ts$/.exec(id) ?? []
  return path && !path.endsWith('.test') ? `${folder}/dist/${path}.js` : undefined
}

/** Starts the longest files first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => estimateWork(other) - estimateWork(one))
  }
}

/** Each line of a test that starts programs or opens pages takes about three times as long. */
function estimateWork({ moduleId }: TestSpecification): number {
  const { size } = statSync(moduleId)
  return /\/test\/(browser|cli|faults)\//.test(moduleId) ? 3 * size : size
}

export default defineConfig({
  plugins: [builtPrograms],
  test: {
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    server: { deps: { external: [/\/packages\/\w+\/dist\//] } },
    pool: 'forks',
    // Loading the service anew for each file took more time than the tests themselves.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    execArgv: [
      // A larger young generation is collected less often, and copies less.
      '--max-semi-space-size=64',
      '--initial-old-space-size=1000',
      // Most functions run too seldom to be worth optimizing.
      '--interrupt-budget=400000',
      // Functions that rest for a while are called again by later tests.
      '--no-flush-bytecode',
    ],
    // One more than there are cores: while one waits, the others work. Still one more took as long.
    // Each needs 1 GB of memory and 50 of the 500 connections of PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    testTimeout: 5 * minutes,
    hookTimeout: 5 * minutes,
    teardownTimeout: minutes,
    expect: { poll: { timeout: 2 * minutes }, requireAssertions: true },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
})
