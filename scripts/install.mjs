import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeArt } from './art.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const lockfile = 'package-lock.json'
const pictures = 'packages/server/programs/make-pictures.cjs'
const pictureSources = [
  lockfile,
  'scripts/art.mjs',
  pictures,
  'packages/core/data/emoji-set.v1.json',
]

/** npm unpacks thirty thousand files: a fifth of its work was collecting garbage in little room. */
const roomForNew = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` }

/** Installs the packages of the lockfile, if it changed. */
export function install() {
  runIfChanged('node_modules/.installed-from', [lockfile], () => {
    console.log('Installing packages …')
    // The builds need the development packages, also where NODE_ENV is production.
    const npmCi = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    // The lockfile has the hash of every package: what npm has stored need not be asked for again.
    if (!succeeds('npm', [...npmCi, '--prefer-offline'], roomForNew)) run('npm', npmCi, roomForNew)
  })
}

/** Makes the pictures, if their sources changed. */
export function makePictures() {
  runIfChanged('packages/server/art/.made-from', pictureSources, () => {
    makeArt(root)
    run('node', [pictures])
  })
}

/** Runs `work` if the hash of `sources` differs from the one in the file `note`. */
function runIfChanged(note, sources, work) {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(`${root}/${source}`))
  const sourceHash = hash.digest('hex')
  const file = `${root}/${note}`
  if (existsSync(file) && readFileSync(file, 'utf8') === sourceHash) return
  work()
  writeFileSync(file, sourceHash)
}

export const succeeds = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'ignore', env: { ...process.env, ...env } })
    .status === 0

/** Exits this process with the command's status if the command fails. */
export function run(command, args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  const { status, error } = spawnSync(command, args, options)
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}
