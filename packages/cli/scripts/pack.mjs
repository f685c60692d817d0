// Builds the published package: one program, without workspace or dependencies. npm run build:cli,
// then npm publish ./packages/cli/published
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { build as buildAll } from '../../../scripts/build.mjs'
import { withoutLinksOut } from '../../../scripts/published-text.mjs'

const cli = fileURLToPath(new URL('..', import.meta.url))

export async function pack(folder = join(cli, 'published')) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundle(join(folder, 'dist'))
  cpSync(join(cli, 'bin'), join(folder, 'bin'), { recursive: true })
  const readme = withoutLinksOut(readFileSync(join(cli, 'README.md'), 'utf8'))
  writeFileSync(join(folder, 'README.md'), readme)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  return folder
}

const bundle = (outDir) =>
  build({
    configFile: false,
    root: cli,
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'node', 'production'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'module', 'node', 'production'] } },
    build: {
      outDir,
      ssr: join(cli, 'src/main.ts'),
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.js' } },
    },
  })

function manifest() {
  const { name, version, bin } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'))
  return {
    name,
    version,
    type: 'module',
    bin,
    engines: { node: '>=20' },
    description: 'Emoji ids at the command line: look up, pay, manage',
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildAll()
  console.log(`Ready to publish: ${await pack()}`)
}
