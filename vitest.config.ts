import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Workspace packages are tested from their sources, not from what was last built.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
})
