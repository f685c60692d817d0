import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { superuser } from './cluster.ts'
import { readIfPresent } from './files.ts'

/** A running PostgreSQL, as its lock file describes it. */
type Postmaster = { pid: number; socketFolder: string }

const lockFile = (cluster: string): string => join(cluster, 'postmaster.pid')

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfPresent(lockFile(cluster)))?.split('\n')
  const pid = Number(lines?.[0])
  if (!Number.isInteger(pid) || pid <= 1 || (await findProgramOf(pid)) !== 'postgres')
    return undefined
  return { pid, socketFolder: lines?.[4] ?? '' }
}

/**
 * Stops a server that a killed service left behind. The caller must hold the folder lock, so the
 * server has no other user.
 */
export async function stopLeftBehind(cluster: string, deadlineMs: number): Promise<void> {
  const postmaster = await findPostmaster(cluster)
  if (!postmaster) return forgetStranger(cluster)
  if (await stopPostmaster(postmaster.pid, deadlineMs)) return
  throw new Error(`A leftover PostgreSQL (process ${postmaster.pid}) does not stop. Kill it.`)
}

/**
 * After a reboot, the process id in a stale lock file may belong to another program, and PostgreSQL
 * would take that for a server. PostgreSQL handles an unused process id itself.
 */
async function forgetStranger(cluster: string): Promise<void> {
  const pid = Number((await readIfPresent(lockFile(cluster)))?.split('\n')[0])
  if (Number.isInteger(pid) && pid > 1 && (await findProgramOf(pid)) === 'another program') {
    await rm(lockFile(cluster), { force: true })
  }
}

async function findProgramOf(pid: number): Promise<'postgres' | 'another program' | 'nothing'> {
  if (!signal(pid, 0)) return 'nothing'
  if (process.platform !== 'linux') return 'postgres'
  const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  if (command === '') return 'nothing'
  return command.startsWith('postgres') ? 'postgres' : 'another program'
}

export function clientOf(socketFolder: string, database: string): Client {
  const client = new Client({
    host: socketFolder,
    user: superuser,
    database,
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => {})
  return client
}

export async function stopPostmaster(pid: number, deadlineMs: number): Promise<boolean> {
  signal(pid, 'SIGINT')
  const giveUpAt = Date.now() + deadlineMs
  while (Date.now() < giveUpAt) {
    if ((await findProgramOf(pid)) !== 'postgres') return true
    await sleep(20)
  }
  return false
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
