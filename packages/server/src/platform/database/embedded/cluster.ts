import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { exists, isDirectory } from './files.ts'

export const superuser = 'emojid'
export const databaseName = 'emojid'

/**
 * On Linux PostgreSQL gets its data folder as its working directory: the link leads straight to the
 * folder, so its account needs no access to the parent folders (a clone in /root).
 */
export const clusterPath = (cluster: string): string =>
  process.platform === 'linux' ? '/proc/self/cwd' : cluster

/**
 * Creates the data folder on first use, atomically: of several processes, the first to finish wins.
 */
export async function ensureCluster(
  binaries: string,
  parent: string,
  account: Account | undefined,
): Promise<string> {
  const cluster = join(parent, 'cluster')
  if (await exists(join(cluster, 'PG_VERSION'))) return cluster

  const draft = join(parent, `cluster.${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await chmod(draft, 0o700)
  if (account) await chown(draft, account.uid, account.gid)
  await runInitdb(join(binaries, 'bin', 'initdb'), draft, account)
  await rename(draft, cluster).catch(async (error) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await isDirectory(cluster))) throw error
  })
  return cluster
}

async function runInitdb(program: string, folder: string, account: Account | undefined) {
  const child = spawn(
    program,
    [
      `--pgdata=${clusterPath(folder)}`,
      `--username=${superuser}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    { cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'pipe'], ...account },
  )
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (status !== 0) throw new Error(`PostgreSQL could not create its data folder: ${complaints}`)
}

/** A clean environment: no PG* variable of the caller reaches the database. */
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
