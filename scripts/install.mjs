import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeArt } from './art.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const lockfile = `${root}/package-lock.json`
const note = `${root}/node_modules/.installed-from`

/** Installs exactly what the lockfile names, unless that has been done. */
export function install() {
  const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  if (!existsSync(note) || readFileSync(note, 'utf8') !== wanted) {
    console.log('Installing packages …')
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
    writeFileSync(note, wanted)
  }
  const isNew = makeArt(root, wanted)
  if (isNew || !existsSync(`${root}/packages/server/art/directory.png`)) {
    run('node', ['packages/server/programs/share-picture.cjs'])
  }
}

/** Ends this process with the command's status when it fails. */
export function run(command, args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  const { status, error } = spawnSync(command, args, options)
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}
