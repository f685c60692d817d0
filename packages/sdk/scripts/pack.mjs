// Builds the published package, without workspace or dependencies. npm run build:sdk, then npm
// publish ./packages/sdk/published
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { build as buildAll } from '../../../scripts/build.mjs'
import { run } from '../../../scripts/install.mjs'
import { withoutLinksOut } from '../../../scripts/published-text.mjs'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const entries = ['index', 'lookup', 'verify', 'address-book']

export async function pack(folder = join(sdk, 'published')) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundle(folder)
  copyTypes(join(folder, 'types'))
  writeTexts(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  return folder
}

/** One file per entry, with shared code in files beside them. */
const bundle = (outDir) =>
  build({
    configFile: false,
    root: sdk,
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      reportCompressedSize: false,
      lib: {
        entry: Object.fromEntries(entries.map((name) => [name, join(sdk, `src/${name}.ts`)])),
        formats: ['es'],
      },
    },
  })

/** The types of the entries; those of the core are copied beside ours. */
function copyTypes(folder) {
  const waiting = entries.map((name) => join(sdk, `dist/${name}.d.ts`))
  const core = join(sdk, '../core/dist')
  const seen = new Set(waiting)
  for (const path of waiting) {
    const isOfCore = !relative(core, path).startsWith('..')
    const target = isOfCore
      ? join(folder, 'core', relative(core, path))
      : join(folder, relative(join(sdk, 'dist'), path))
    const lead = (_whole, named) => {
      const file = named.startsWith('.') ? join(dirname(path), named) : join(core, 'index.js')
      const next = file.replace(/\.[jt]s$/, '.d.ts')
      if (!seen.has(next)) waiting.push(next)
      seen.add(next)
      const place = `${relative(dirname(target), join(folder, 'core'))}/index.js`
      return `'${named.startsWith('.') ? named : place.startsWith('.') ? place : `./${place}`}'`
    }
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(
      target,
      readFileSync(path, 'utf8').replace(/(?<=\b(?:from |import\())'([^']+)'/g, lead),
    )
  }
}

/** Copies the guide that the README links to; its further links point to the repository. */
function writeTexts(folder) {
  const readme = readFileSync(join(sdk, 'README.md'), 'utf8')
  const guide = readFileSync(join(sdk, '../../docs/wallets.md'), 'utf8')
  const leading = readme.replace(
    '[docs/wallets.md](../../docs/wallets.md)',
    '[wallets.md](wallets.md)',
  )
  writeFileSync(join(folder, 'README.md'), withoutLinksOut(leading))
  writeFileSync(
    join(folder, 'wallets.md'),
    withoutLinksOut(guide.replace('[the API](openapi.json)', 'the API')),
  )
}

function manifest() {
  const { name, version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
  const entryOf = (entry) => ({ types: `./types/${entry}.d.ts`, default: `./${entry}.js` })
  const exports = entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, entryOf(entry)])
  return {
    name,
    version,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    description: 'Pay an emoji id: the client of the Emoji Id Directory for wallets',
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildAll()
  run('node', ['node_modules/typescript/bin/tsc', '-b', 'packages/sdk'])
  console.log(`Ready to publish: ${await pack()}`)
}
