import type { ChildProcess } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../../log/log.ts'
import { type Account, databaseAccount } from './account.ts'
import { installBinaries } from './binaries.ts'
import { databaseName, ensureCluster, superuser } from './cluster.ts'
import { exists, readIfPresent } from './files.ts'
import { lockFolder } from './folder-lock.ts'
import { findPostmaster, stopLeftBehind, stopPostmaster } from './postmaster.ts'
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
  /** Further server settings, such as `fsync=off` for temporary data. */
  settings?: readonly string[]
}

/** Runs PostgreSQL on `dataDir` until it is stopped. */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = [] } = options
  const home = join(dataDir, 'postgres')
  await makeHome(home, dataDir)
  const lock = await lockFolder(dataDir)
  try {
    const account = databaseAccount()
    const binaries = await installBinaries(account ? '/var/cache/emojid' : home)
    const cluster = await ensureCluster(binaries, home, account)
    await stopLeftBehind(cluster, stopTimeoutMs)
    await removeDrafts(home)
    const socketFolder = await makeSocketFolder(home, account)
    const server = supervise({ binaries, cluster, socketFolder, account, settings, log })
    await server.launch()
    return {
      connection: { host: socketFolder, user: superuser, database: databaseName },
      async stop() {
        await server.stop()
        await rm(socketFolder, { recursive: true, force: true })
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Connects to the PostgreSQL of a running service on `dataDir`, if there is one. */
export async function findRunningPostgres(dataDir: string): Promise<ClientConfig | undefined> {
  const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'))
  return postmaster && { host: postmaster.socketFolder, user: superuser, database: databaseName }
}

export const hasCluster = (dataDir: string): Promise<boolean> =>
  exists(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'))

type Parts = Parameters<typeof startProcess>[0]

/** Starts PostgreSQL, and restarts it after an unexpected exit. */
function supervise(parts: Parts) {
  const { cluster, socketFolder, log } = parts
  let child: ChildProcess | undefined
  let isStopping = false

  const launch = async (): Promise<void> => {
    const giveUpAt = Date.now() + startTimeoutMs
    for (;;) {
      const startedProcess = startProcess(parts)
      const complaint = await untilReady(startedProcess, socketFolder, giveUpAt)
      if (complaint === undefined) {
        child = startedProcess.child
        child.once('exit', () => void revive())
        return
      }
      startedProcess.child.kill('SIGINT')
      // After a crash, remains of the old server may still be shutting down; retry.
      if (!/lock file|shared memory|shutting down/.test(complaint) || Date.now() > giveUpAt) {
        throw new Error(`PostgreSQL did not start on ${cluster}: ${complaint}`)
      }
      await sleep(100)
    }
  }
  const revive = async () => {
    while (!isStopping) {
      log.error('PostgreSQL stopped unexpectedly; restarting it')
      try {
        return await launch()
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be started; retrying')
        await sleep(1_000)
      }
    }
  }
  return {
    launch,
    async stop() {
      isStopping = true
      const pid = child?.pid
      if (pid && !(await stopPostmaster(pid, stopTimeoutMs))) child?.kill('SIGQUIT')
    },
  }
}

async function makeHome(home: string, dataDir: string): Promise<void> {
  try {
    await makeFolder(home)
    await rm(await mkdtemp(join(home, 'probe-')), { recursive: true })
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}. ` +
        'Set DATA_DIR to a folder that this account may write to.',
    )
  }
}

/** Step by step: recursive mkdir of Node loops forever below a folder such as /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return
  await makeFolder(dirname(path))
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Removes leftovers of an interrupted start. */
async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (/^(cluster\.\d+|postgres-.*\.draft-\d+)$/.test(name)) {
      await rm(join(home, name), { recursive: true, force: true })
    }
  }
}

const socketFolderPrefix = join(tmpdir(), 'emojid-')

/** A private folder with a short path: a socket path is limited to 107 bytes. */
async function makeSocketFolder(home: string, account: Account | undefined): Promise<string> {
  const note = join(home, 'socket-folder')
  const leftBehind = await readIfPresent(note)
  if (leftBehind?.startsWith(socketFolderPrefix) && dirname(leftBehind) === tmpdir()) {
    await rm(leftBehind, { recursive: true, force: true })
  }
  const folder = await mkdtemp(socketFolderPrefix).catch((error: Error) => {
    throw new Error(`The socket folder could not be created (check TMPDIR): ${error.message}`)
  })
  await writeFile(note, folder)
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}
