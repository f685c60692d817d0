import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const ownPaths = ['/opt/emojid', '/etc/emojid', '/var/lib/emojid', '/var/cache/emojid-nginx']
const files = [
  '/etc/systemd/system/emojid@.service',
  '/etc/nginx/snippets/emojid-proxy.conf',
  '/etc/nginx/sites-enabled/emojid.conf',
]
const clusters = ['emojid_replica', 'emojid']
const defaultSite = '/etc/nginx/sites-enabled/default'
const hadDefaultSite = lstatSync(defaultSite, { throwIfNoEntry: false }) !== undefined

/** Existing installations may be in use: they are neither used nor removed. */
export function refuseIfInUse(): void {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error('This program sets up a whole machine. Run it on Debian as root.')
  }
  const leftovers = [
    ...[...ownPaths, ...files].filter((path) => existsSync(path)),
    ...clusters.map((name) => `/etc/postgresql/15/${name}`).filter((path) => existsSync(path)),
    ...(succeeds('id', ['emojid']) ? ['the account emojid'] : []),
    ...(existsSync('/run/nginx.pid') && readFileSync('/run/nginx.pid', 'utf8').trim()
      ? ['a running nginx']
      : []),
  ]
  if (leftovers.length > 0)
    throw new Error(`The machine already has an installation: ${leftovers.join(', ')}.`)
}

/** Like a release: the files of the repository without build output. */
export function copyRepository({ withPackages }: { withPackages: boolean }): void {
  mkdirSync('/opt/emojid')
  const list = 'git ls-files -coz --exclude-standard --deduplicate'
  const installed = "find . -name node_modules -prune -not -path './.*' -print0"
  const listCommand = withPackages ? `(${list}; ${installed})` : list
  const copy = `${listCommand} | tar --null -T - -c | tar -x --no-same-owner -C /opt/emojid`
  const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${copy}`], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The code could not be copied: ${stderr}`)
}

/** Edits that an operator makes by hand. */
export function editFile(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Restores a machine without any installation. */
export function clearMachine(): void {
  for (const name of clusters) {
    const settings = `/etc/postgresql/15/${name}`
    if (existsSync(settings)) spawnSync('pg_dropcluster', ['--stop', '15', name])
    // It keeps added files.
    rmSync(settings, { recursive: true, force: true })
  }
  for (const path of [...ownPaths, ...files]) rmSync(path, { recursive: true, force: true })
  if (succeeds('id', ['emojid'])) spawnSync('userdel', ['emojid'])
  if (hadDefaultSite && !existsSync(defaultSite)) {
    symlinkSync('/etc/nginx/sites-available/default', defaultSite)
  }
}

const succeeds = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0
