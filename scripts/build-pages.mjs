// Bundles the browser app, and the demonstration wallet of /dev/wallet with the SDK, as the
// bundler of a wallet does.
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { root } from './install.mjs'

await Promise.all([buildApp(), buildWallet()])

async function buildApp() {
  const folder = join(root, 'packages/web')
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
  const assets = join(folder, 'dist/assets')
  await Promise.all(readdirSync(assets).map((name) => compress(join(assets, name))))
}

/** Compresses at build time instead of per request. */
async function compress(file) {
  const content = await readFile(file)
  await Promise.all([
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
    promisify(brotliCompress)(content).then((bytes) => writeFile(`${file}.br`, bytes)),
  ])
}

async function buildWallet() {
  await build({
    configFile: false,
    root: join(root, 'packages/server/browser'),
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      outDir: join(root, 'packages/server/dist/browser'),
      emptyOutDir: true,
      target: 'es2022',
      lib: {
        entry: join(root, 'packages/server/browser/wallet/main.js'),
        formats: ['es'],
        fileName: () => 'wallet.js',
      },
    },
  })
}
