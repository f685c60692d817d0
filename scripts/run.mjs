// Runs a TypeScript program of this repository: node scripts/run.mjs benchmarks/start.ts
import { resolve } from 'node:path'
import { build } from './build.mjs'
import { install, root } from './install.mjs'

install()
await build()
const { runnerImport } = await import('vite')
await runnerImport(resolve(root, process.argv[2]), {
  root,
  configFile: false,
  logLevel: 'error',
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
})
