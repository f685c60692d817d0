import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** npm unpacks twenty thousand files: a fifth of its work was collecting garbage in little room. */
const roomForNew = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` }

/**
 * Installs the missing packages of the lockfile: those of building and running, or with those of
 * the checks and tests. Removes nothing that the lockfile has.
 */
export function install(scope = 'all') {
  const wanted = packagesIn('package-lock.json')
  // npm writes it when it has installed everything.
  const present = packagesIn('node_modules/.package-lock.json')
  const versions = new Map(present.map(([path, { integrity }]) => [path, integrity]))
  const hasTests = wanted.some(([path, { dev }]) => dev && versions.has(path))
  const withTests = scope === 'all' || hasTests
  const missing = wanted.filter(
    ([path, { dev, optional, integrity }]) =>
      !optional && (!dev || withTests) && versions.get(path) !== integrity,
  )
  if (missing.length === 0) return
  console.log('Installing packages …')
  // A running service keeps its packages while the tests add theirs.
  const isCompletion = missing.every(([path]) => !versions.has(path)) && present.length > 0
  const npm = [
    isCompletion ? 'install' : 'ci',
    '--no-save',
    // The builds need no development packages, and NODE_ENV must not decide.
    withTests ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // The lockfile has the hash of every package: what npm has stored need not be asked for again.
  if (!succeeds('npm', [...npm, '--prefer-offline'], roomForNew)) run('npm', npm, roomForNew)
}

/** Paths and entries, without the packages of this repository. */
function packagesIn(lockfile) {
  const file = `${root}/${lockfile}`
  if (!existsSync(file)) return []
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(packages).filter(([, { integrity }]) => integrity)
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
