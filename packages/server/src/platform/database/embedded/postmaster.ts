import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { superuser } from './cluster.ts'
import { readIfPresent } from './files.ts'

/** A PostgreSQL that runs on a data folder, as its own lock file tells. */
export type Postmaster = { pid: number; socketFolder: string }

export const lockFile = (cluster: string): string => join(cluster, 'postmaster.pid')

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfPresent(lockFile(cluster)))?.split('\n')
  const pid = Number(lines?.[0])
  if (!Number.isInteger(pid) || pid <= 1 || !(await isPostgres(pid))) return undefined
  return { pid, socketFolder: lines?.[4] ?? '' }
}

/** After a reboot the number in a left-over lock file may belong to anything. */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return command.startsWith('postgres')
}

/** Held on one connection for as long as a service uses the data folder. */
const ownerLock = 7_203_551

export function clientOf(socketFolder: string, database: string): Client {
  const client = new Client({
    host: socketFolder,
    user: superuser,
    database,
    connectionTimeoutMillis: 2_000,
    application_name: `emojid-${process.pid}`,
  })
  client.on('error', () => {})
  return client
}

/** Tells whether the lock was had; it lasts until the client's connection ends. */
export async function claimOwnership(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as had', [ownerLock])
  return rows[0].had
}

/** The service that holds the data folder, by its process number. */
export async function findOwner(client: Client): Promise<string | undefined> {
  const { rows } = await client.query(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [ownerLock],
  )
  return rows[0]?.application_name.replace('emojid-', '')
}

export async function stopPostmaster(pid: number, deadlineMs: number): Promise<boolean> {
  signal(pid, 'SIGINT')
  const giveUpAt = Date.now() + deadlineMs
  while (Date.now() < giveUpAt) {
    if (!signal(pid, 0)) return true
    await sleep(20)
  }
  return false
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
