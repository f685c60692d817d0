import { defineConfig } from 'vitest/config'

/** What measures time, kills processes or fills the processor; nothing runs beside it. */
const alone = [
  'packages/server/test/browser/**/*.test.ts',
  'packages/server/test/faults/**/*.test.ts',
  'packages/server/test/attacks/{login,magic-link,passwords}.test.ts',
  'packages/server/src/{features/pictures/routes,platform/drawing/drawer}.test.ts',
]

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
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 2,
          // Loading the service anew for each file took more time than the tests themselves.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
