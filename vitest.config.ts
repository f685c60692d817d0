import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** A safety net for what never ends. No test is about how long something takes. */
const minutes = 60_000

export default defineConfig({
  // Workspace packages are tested from their sources, not from what was last built.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    pool: 'forks',
    // Loading the service anew for each file took more time than the tests themselves.
    isolate: false,
    // One more than there are cores: while one waits, the others work.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 5 * minutes,
    hookTimeout: 5 * minutes,
    teardownTimeout: minutes,
    expect: { poll: { timeout: 2 * minutes } },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
})
