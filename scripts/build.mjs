import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describeApi } from './describe-api.mjs'
import { makePictures, root, run } from './install.mjs'

const folder = join(root, 'packages/web')
const note = join(folder, 'dist/.made-from')
const sources = [
  'packages/web/src',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'packages/core/src',
  'package-lock.json',
]

/** Also in a shell with another NODE_ENV: React for development is larger and slower. */
const production = { NODE_ENV: 'production' }

export function build() {
  makePictures()
  describeApi()
  run('node', ['node_modules/typescript/bin/tsc', '-b'])
  buildPages()
}

export function buildPages() {
  buildWeb()
  buildWallet()
}

/** Skips the build if no source of the demonstration wallet changed. */
function buildWallet() {
  const walletNote = join(root, 'packages/server/dist/browser/.made-from')
  const sourceHash = hashOf([
    'packages/server/browser',
    'packages/sdk/src',
    'packages/core/src',
    'docs/openapi.json',
    'package-lock.json',
    'scripts/build-wallet.mjs',
  ])
  if (existsSync(walletNote) && readFileSync(walletNote, 'utf8') === sourceHash) return
  run('node', ['scripts/build-wallet.mjs'], production)
  writeFileSync(walletNote, sourceHash)
}

/** Skips the build if no source of packages/web changed. */
function buildWeb() {
  const sourceHash = hashOf([...sources, 'docs/openapi.json'])
  if (existsSync(note) && readFileSync(note, 'utf8') === sourceHash) return
  const vite = ['node_modules/vite/bin/vite.js', 'build', 'packages/web', '--logLevel', 'warn']
  run('node', vite, production)
  compress(join(folder, 'dist/assets'))
  writeFileSync(note, sourceHash)
}

/** Compresses at build time instead of per request. */
function compress(assets) {
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name))
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content))
  }
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder).sort()) {
    if (/^packages\/(web|sdk)\/src\/generated\//.test(path) || path.endsWith('.test.ts')) continue
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (/\.[\w-]+$/.test(path)) return [path]
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  return entries.flatMap(({ name }) => filesUnder(`${path}/${name}`))
}
