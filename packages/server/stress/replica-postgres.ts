import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { databaseAccount } from '../src/platform/database/embedded/account.ts'
import { freePort } from '../test/support/process.ts'

const shipped = (path: string) =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')

/** Debian installs each version in its own folder. Uses the newest. */
export function findPrograms() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newest = versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
    .find((bin) =>
      ['initdb', 'postgres', 'pg_basebackup', 'psql'].every((name) => existsSync(`${bin}/${name}`)),
    )
  const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find(existsSync)
  const openssl = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find(existsSync)
  if (!newest || !nginx || !openssl) {
    const missing = [
      newest ? '' : 'postgresql',
      nginx ? '' : 'nginx',
      openssl ? '' : 'openssl',
    ].filter(Boolean)
    throw new Error(`This needs Debian's packages: apt-get install -y ${missing.join(' ')}`)
  }
  return { bin: newest, nginx, openssl }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>
const passwords = { emojid: 'only for this run', replication: 'only for this run too' }

/** A primary and a streaming replica, set up from the shipped files as docs/operations.md says. */
export async function startCluster(folder: string, bin: string) {
  const account = databaseAccount()
  const [primaryFolder, replicaFolder] = [join(folder, 'primary'), join(folder, 'replica')]
  for (const place of [folder, primaryFolder, replicaFolder]) {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    if (account) chownSync(place, account.uid, account.gid)
  }
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stderr } = spawnSync(join(bin, program), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...env },
      ...account,
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  run('initdb', [
    '-D',
    primaryFolder,
    '--username=postgres',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ])
  const lines = shipped('postgresql/pg_hba.conf').replaceAll(/10\.0\.0\.\d+\/\d+/g, '127.0.0.1/32')
  appendFileSync(join(primaryFolder, 'pg_hba.conf'), lines)

  const start = async (place: string, port: number) => {
    const server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        place,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${folder}`,
        '-c',
        'max_connections=200',
      ],
      {
        cwd: folder,
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
        ...account,
      },
    )
    const by = Date.now() + 30_000
    while (Date.now() < by && server.exitCode === null) {
      const answers = await askAt(folder, port, 'select 1').catch(() => undefined)
      if (answers) return server
      await sleep(50)
    }
    throw new Error(`PostgreSQL did not start on ${place}`)
  }
  const ports = { primary: await freePort(), replica: await freePort() }
  const servers: Record<'primary' | 'replica', ChildProcess> = {} as never
  servers.primary = await start(primaryFolder, ports.primary)
  const variables = [
    '-v',
    `password=${passwords.emojid}`,
    '-v',
    `replication_password=${passwords.replication}`,
  ]
  const script = new URL('../../../deploy/postgresql/primary.sql', import.meta.url).pathname
  const { status, stderr } = spawnSync(
    join(bin, 'psql'),
    [
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      folder,
      '-p',
      String(ports.primary),
      '-U',
      'postgres',
      ...variables,
      '-f',
      script,
      'postgres',
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`primary.sql: ${stderr}`)
  run(
    'pg_basebackup',
    [
      '--pgdata',
      replicaFolder,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--dbname',
      `host=127.0.0.1 port=${ports.primary} user=emojid_replication`,
    ],
    { PGPASSWORD: passwords.replication },
  )
  servers.replica = await start(replicaFolder, ports.replica)

  process.once('exit', () => {
    for (const server of Object.values(servers)) server.kill('SIGQUIT')
  })

  const urlOf = (port: number) =>
    `postgres://emojid:${encodeURIComponent(passwords.emojid)}@127.0.0.1:${port}/emojid`
  const kill = async (role: 'primary' | 'replica') => {
    const exitCode = new Promise((resolve) => servers[role].once('exit', resolve))
    servers[role].kill('SIGKILL')
    await exitCode
  }
  return {
    version: Number(
      (await askAt(folder, ports.primary, 'show server_version_num'))?.[0]?.server_version_num,
    ),
    urls: { primary: urlOf(ports.primary), replica: urlOf(ports.replica) },
    onReplica: (statement: string) => askAt(folder, ports.replica, statement),
    kill,
    async revive(role: 'primary' | 'replica') {
      const place = { primary: primaryFolder, replica: replicaFolder }[role]
      // Processes of the killed server may still be exiting.
      for (let tries = 0; ; tries++) {
        try {
          servers[role] = await start(place, ports[role])
          return
        } catch (error) {
          if (tries >= 10) throw error
          await sleep(500)
        }
      }
    },
    async stop() {
      for (const server of Object.values(servers)) {
        const exitCode = new Promise((resolve) => server.once('exit', resolve))
        if (server.exitCode === null && server.signalCode === null) {
          server.kill('SIGINT')
          await exitCode
        }
      }
    },
  }
}

async function askAt(host: string, port: number, statement: string) {
  const client = new pg.Client({
    host,
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
