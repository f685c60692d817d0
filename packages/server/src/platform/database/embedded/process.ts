import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log/log.ts'
import type { Account } from './account.ts'
import { clusterPath, databaseName, environment } from './cluster.ts'
import { exists } from './files.ts'
import { clientOf } from './postmaster.ts'

type Process = { child: ChildProcess; complaints: string[] }

type ProcessOptions = {
  binaries: string
  cluster: string
  socketFolder: string
  account: Account | undefined
  settings: readonly string[]
  log: Log
}

export function startProcess(options: ProcessOptions): Process {
  const { binaries, cluster, socketFolder, account, settings, log } = options
  const program = join(binaries, 'bin', 'postgres')
  const args = [
    '-D',
    clusterPath(cluster),
    ...[
      'listen_addresses=',
      `unix_socket_directories=${socketFolder}`,
      'unix_socket_permissions=0700',
      'max_connections=250',
      'log_min_messages=log',
      'log_checkpoints=off',
      ...settings,
    ].flatMap((setting) => ['-c', setting]),
  ]
  const [command, commandArgs] = endingWithUs(program, args, account)
  const child = spawn(command, commandArgs, {
    cwd: cluster,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group: Ctrl-C reaches only the service, which stops the database last.
    detached: true,
    ...(command === program ? account : {}),
  })
  const complaints: string[] = []
  child.on('error', (error) => complaints.push(error.message))
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      complaints.push(line)
      if (complaints.length > 20) complaints.shift()
      log.debug({ component: 'postgres' }, line)
    })
  }
  return { child, complaints }
}

const setpriv = '/usr/bin/setpriv'
const canEndWithUs = process.platform === 'linux' && (await exists(setpriv))

/** On Linux the kernel stops the database when this process dies (PDEATHSIG). */
function endingWithUs(
  program: string,
  args: string[],
  account: Account | undefined,
): [string, string[]] {
  if (!canEndWithUs) return [program, args]
  const identity = account
    ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
    : []
  return [setpriv, [...identity, '--pdeathsig', 'INT', '--', program, ...args]]
}

/** `undefined` once it is ready, or the output of the failed PostgreSQL. */
export async function untilReady(
  { child, complaints }: Process,
  socketFolder: string,
  giveUpAt: number,
): Promise<string | undefined> {
  while (child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) {
    const client = clientOf(socketFolder, 'postgres')
    try {
      await client.connect()
      const { rowCount } = await client.query('select from pg_database where datname = $1', [
        databaseName,
      ])
      if (rowCount === 0) await client.query(`create database ${databaseName}`)
      return undefined
    } catch {
      await sleep(15)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return complaints.join('\n') || 'PostgreSQL gave no reason'
}
