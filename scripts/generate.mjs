// npm run generate writes every file that is made from others, in order of dependence: the modules
// of packages/core from its data, docs/openapi.json, docs/scopes.md and docs/errors.md from the
// server, types and tables of the SDK and the pages from docs/openapi.json, and the pages of figures.
import { describeApi } from './describe-api.mjs'
import { install, run } from './install.mjs'

install()
run('node', ['packages/core/scripts/generate-data.mjs'])
// The SDK may already name an operation that only the next description has.
run('node', ['scripts/build-programs.mjs'])
run('node', [
  'node_modules/vitest/vitest.mjs',
  'run',
  'packages/server/test/openapi.test.ts',
  '--update',
])
describeApi()
run('node', ['scripts/benchmarks-page.mjs'])
