import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const browser = ['packages/server/test/browser/**/*.test.ts']
/** What stops and starts databases, or changes where this one keeps things. */
const faults = [
  'packages/server/src/platform/drawing/drawer.test.ts',
  'packages/server/test/faults/{database-away,replica,stale-lookups}.test.ts',
]
/** What measures time; nothing runs beside it. */
const alone = [
  'packages/server/test/faults/process.test.ts',
  'packages/server/test/attacks/{login,magic-link,passwords}.test.ts',
]
const cores = availableParallelism()
/** One more than there are cores: while one waits, the others work. */
const maxWorkers = cores + 1

export default defineConfig({
  // Workspace packages are tested from their sources, not from what was last built.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
    // Loading the service anew for each file took more time than the tests themselves.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...browser, ...faults, ...alone],
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...{ name: 'browser', include: browser, maxWorkers },
          // A page takes its time to be drawn.
          expect: { poll: { timeout: 10_000 } },
          // Pages and tests run in different processes, whose turns are nobody's choice. What is tried
          // again is named in the report; what is broken fails twice.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...{ name: 'faults', include: faults, maxWorkers: Math.min(cores, 3) },
          // What another file left behind would be in the way.
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...{ name: 'alone', include: alone, maxWorkers: 1 },
          // What another file left behind would be measured too.
          isolate: true,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
