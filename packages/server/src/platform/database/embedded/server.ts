import type { ChildProcess } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import type { Log } from '../../log/log.ts'
import { type Account, databaseAccount } from './account.ts'
import { installBinaries } from './binaries.ts'
import { databaseName, ensureCluster, superuser } from './cluster.ts'
import { readIfPresent } from './files.ts'
import {
  claimOwnership,
  clientOf,
  findOwner,
  findPostmaster,
  lockFile,
  stopPostmaster,
} from './postmaster.ts'
import { startProcess, untilReady } from './process.ts'

const startTimeoutMs = 30_000
const stopTimeoutMs = 8_000

export type EmbeddedPostgres = {
  connection: ClientConfig
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  log: Log
  /** Server settings beyond our own, such as `fsync=off` for throw-away data. */
  settings?: readonly string[]
}

/** Runs PostgreSQL on `dataDir` and keeps it running until it is told to stop. */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = [] } = options
  const account = databaseAccount()
  const home = join(dataDir, 'postgres')
  await mkdir(home, { recursive: true })
  const binaries = await installBinaries(account ? '/var/cache/emojid' : home)
  const cluster = await ensureCluster(binaries, home, account)
  await clearTheWay(cluster, dataDir)
  const socketFolder = await makeSocketFolder(home, account)

  let child: ChildProcess | undefined
  let owner: Client | undefined
  let stopping = false

  const launch = async () => {
    const giveUpAt = Date.now() + startTimeoutMs
    for (;;) {
      const started = startProcess({ binaries, cluster, socketFolder, account, settings, log })
      const outcome = await untilReady(started, socketFolder, giveUpAt)
      if (typeof outcome !== 'string') {
        child = started.child
        owner = outcome
        child.once('exit', () => void revive())
        return
      }
      started.child.kill('SIGINT')
      // Right after a crash the old server's remains may still be going away; they do so by themselves.
      if (!/lock file|shared memory|shutting down/.test(outcome) || Date.now() > giveUpAt) {
        throw new Error(`PostgreSQL did not start on ${cluster}: ${outcome}`)
      }
      await clearTheWay(cluster, dataDir)
      await sleep(100)
    }
  }

  const revive = async () => {
    while (!stopping) {
      log.error('PostgreSQL ended unexpectedly; starting it again')
      try {
        return await launch()
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be started; trying again')
        await sleep(1_000)
      }
    }
  }

  await launch()
  return {
    connection: { host: socketFolder, user: superuser, database: databaseName },
    async stop() {
      stopping = true
      await owner?.end().catch(() => {})
      const pid = child?.pid
      if (pid && !(await stopPostmaster(pid, stopTimeoutMs))) child?.kill('SIGQUIT')
      await rm(socketFolder, { recursive: true, force: true })
    },
  }
}

/** Connects to a PostgreSQL that a running service keeps on `dataDir`, if there is one. */
export async function findRunningPostgres(dataDir: string): Promise<ClientConfig | undefined> {
  const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'))
  return postmaster && { host: postmaster.socketFolder, user: superuser, database: databaseName }
}

/** Ends a server that a killed service left behind; refuses when a service still uses it. */
async function clearTheWay(cluster: string, dataDir: string): Promise<void> {
  const giveUpAt = Date.now() + startTimeoutMs
  while (Date.now() < giveUpAt) {
    const postmaster = await findPostmaster(cluster)
    if (!postmaster) return rm(lockFile(cluster), { force: true })
    const client = clientOf(postmaster.socketFolder, 'postgres')
    try {
      await client.connect()
      if (!(await claimOwnership(client))) {
        throw new DataInUseError(dataDir, (await findOwner(client)) ?? 'unknown')
      }
      await client.end()
      await stopPostmaster(postmaster.pid, stopTimeoutMs)
      await rm(postmaster.socketFolder, { recursive: true, force: true })
    } catch (error) {
      if (error instanceof DataInUseError) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new Error(`Another PostgreSQL holds ${cluster} and does not end. Stop it and start again.`)
}

/** A private folder with a short path: a socket's path may have 107 bytes at most. */
async function makeSocketFolder(home: string, account: Account | undefined): Promise<string> {
  const note = join(home, 'socket-folder')
  const leftBehind = await readIfPresent(note)
  if (leftBehind) await rm(leftBehind, { recursive: true, force: true })
  const folder = await mkdtemp(join(tmpdir(), 'emojid-'))
  await writeFile(note, folder)
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

class DataInUseError extends Error {
  override readonly name = 'DataInUseError'
  constructor(dataDir: string, pid: string) {
    super(
      `DATA_DIR ${dataDir} is already in use by a running service (process ${pid}). ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    )
  }
}
