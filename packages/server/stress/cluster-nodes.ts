// Three machines as network namespaces of this one. Each runs etcd, Patroni and PostgreSQL from the
// files in deploy/cluster/, with only the values of cluster.env replaced.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'

const shipped = (name: string) =>
  readFileSync(new URL(`../../../deploy/cluster/${name}`, import.meta.url), 'utf8')

const bridge = 'emojid-br'
const network = '10.48.0'
const places = [1, 2, 3]
const nameOf = (n: number) => `emojid-${n}`
export const addressOf = (n: number) => `${network}.${n}`
export const databasePassword = 'only-for-this-run'

export type Nodes = Awaited<ReturnType<typeof startNodes>>
/** Under load a replica is always some bytes behind. */
const lagAtMost = 2 ** 20

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number }

const programs = ['etcd', 'patroni', 'haproxy', 'pgbackrest', 'ip', 'iptables', 'setpriv']

function run(command: string, args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`)
  return stdout
}

/** Ends what an earlier run left, and everything that runs in the namespaces of this program. */
export function removeNetwork(): void {
  for (const n of places) {
    const pids = spawnSync('ip', ['netns', 'pids', nameOf(n)], { encoding: 'utf8' }).stdout ?? ''
    for (const pid of pids.split('\n').filter(Boolean)) kill(Number(pid), 'SIGKILL')
    // Explicitly: the kernel removes what a deleted namespace has later.
    spawnSync('ip', ['link', 'del', `${bridge}${n}`])
    spawnSync('ip', ['netns', 'del', nameOf(n)])
  }
  spawnSync('ip', ['link', 'del', bridge])
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

function addNetwork(): void {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0)
  if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.')
  if (missing.length > 0 || !existsSync('/usr/lib/postgresql/15/bin/postgres')) {
    throw new Error(
      'This needs Debian’s packages: apt-get install -y etcd-server patroni python3-etcd ' +
        `postgresql-15 haproxy pgbackrest iproute2 iptables. Missing: ${missing.join(', ')}`,
    )
  }
  removeNetwork()
  run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  run('ip', ['addr', 'add', `${network}.254/24`, 'dev', bridge])
  run('ip', ['link', 'set', bridge, 'up'])
  for (const n of places) {
    run('ip', ['netns', 'add', nameOf(n)])
    const peer = ['type', 'veth', 'peer', 'name', 'eth0', 'netns', nameOf(n)]
    run('ip', ['link', 'add', `${bridge}${n}`, ...peer])
    run('ip', ['link', 'set', `${bridge}${n}`, 'master', bridge, 'up'])
    const inside = ['-n', nameOf(n)]
    run('ip', [...inside, 'addr', 'add', `${addressOf(n)}/24`, 'dev', 'eth0'])
    run('ip', [...inside, 'link', 'set', 'eth0', 'up'])
    run('ip', [...inside, 'link', 'set', 'lo', 'up'])
  }
}

/** The text of a shipped file with the values of a machine, as envsubst writes it. */
export function render(name: string, values: Record<string, string>): string {
  return shipped(name).replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const value = values[variable]
    if (value === undefined) throw new Error(`cluster.env does not have ${variable}`)
    return value
  })
}

export const clusterValues = (n = 1): Record<string, string> => ({
  ...(parseEnv(shipped('cluster.env')) as Record<string, string>),
  NODE: `node${n}`,
  ADDRESS: addressOf(n),
  NODE1: addressOf(1),
  NODE2: addressOf(2),
  NODE3: addressOf(3),
  NETWORK: `${network}.0/24`,
  // A namespace has no watchdog of its own.
  WATCHDOG: 'off',
})

type Options = {
  folder: string
  /** Changes the shipped patroni.yml, for the controls. */
  changePatroni?: (text: string) => string
}

export async function startNodes({ folder, changePatroni = (text) => text }: Options) {
  addNetwork()
  process.once('exit', removeNetwork)
  const passwords = Object.fromEntries(
    ['PATRONI', 'POSTGRES', 'REPLICATION', 'REWIND'].map((name) => [
      `${name}_PASSWORD`,
      randomBytes(12).toString('hex'),
    ]),
  )
  const isSynchronous = changePatroni(shipped('patroni.yml')).includes('synchronous_mode: true')
  const running = new Map<string, ChildProcess>()
  const repository = join(folder, 'pgbackrest')
  makeFolder(repository, 'postgres')
  for (const n of places) {
    const values = { ...clusterValues(n), ...passwords }
    const place = join(folder, `node${n}`)
    for (const name of ['postgresql/15', 'run', 'lock']) makeFolder(join(place, name), 'postgres')
    makeFolder(join(place, 'etcd'), 'etcd')
    writeFileSync(join(place, 'patroni.yml'), changePatroni(render('patroni.yml', values)))
    writeFileSync(join(place, 'pgbackrest.conf'), render('pgbackrest.conf', values))
    writeFileSync(join(place, 'etcd.service'), render('etcd.service', values))
    run('chown', ['-R', 'postgres', place])
    run('chown', ['-R', 'etcd', join(place, 'etcd')])
  }

  /** Runs a command on a machine: in its network, with its own folders at the usual paths. */
  const onNode = (n: number, user: string, command: string) => {
    const place = join(folder, `node${n}`)
    const mounts = [
      [join(place, 'postgresql'), '/var/lib/postgresql'],
      [join(place, 'run'), '/var/run/postgresql'],
      [join(place, 'etcd'), '/var/lib/etcd'],
      [join(place, 'lock'), '/tmp/pgbackrest'],
      [join(place, 'pgbackrest.conf'), '/etc/pgbackrest.conf'],
      [repository, '/var/lib/pgbackrest'],
    ].map(([from, to]) => `mount --bind ${from} ${to}`)
    const script = [
      'set -e',
      'mkdir -p /var/run/postgresql /tmp/pgbackrest',
      ...mounts,
      `exec setpriv --reuid ${user} --regid ${user} --init-groups --pdeathsig KILL ${command}`,
    ].join('\n')
    return ['netns', 'exec', nameOf(n), 'sh', '-c', script]
  }
  const start = (name: string, n: number, user: string, command: string) => {
    const log = openSync(join(folder, `node${n}`, `${name}.log`), 'a')
    const child = spawn('ip', onNode(n, user, command), {
      cwd: '/',
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    })
    running.set(`${name} ${n}`, child)
  }
  const startEtcd = (n: number) => {
    const unit = readFileSync(join(folder, `node${n}`, 'etcd.service'), 'utf8')
    const command = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit)?.[1]?.replaceAll('\\\n', ' ')
    if (!command) throw new Error('etcd.service has no ExecStart')
    start('etcd', n, 'etcd', command)
  }
  const startPatroni = (n: number) =>
    start('patroni', n, 'postgres', `patroni ${join(folder, `node${n}`, 'patroni.yml')}`)
  const pidOf = (name: string, n: number) => running.get(`${name} ${n}`)?.pid ?? 0
  const killProgram = async (name: string, n: number) => {
    const child = running.get(`${name} ${n}`)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exit
  }
  const postmasterOf = (n: number) => {
    const file = join(folder, `node${n}`, 'postgresql/15/emojid/postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  }
  const membersAt = async (n: number): Promise<Member[]> => {
    const signal = AbortSignal.timeout(1_000)
    const answer = await fetch(`http://${addressOf(n)}:8008/cluster`, { signal })
    return ((await answer.json()) as { members: Member[] }).members
  }
  /** The members by any machine that answers. */
  const members = () => Promise.any(places.map(membersAt)).catch(() => [] as Member[])
  const numberOf = (member: Member | undefined) => Number(member?.name.replace('node', '') ?? 0)
  const isHealthy = async () => {
    const all = await members()
    const leader = all.find(({ role }) => role === 'leader')
    return (
      all.length === 3 &&
      leader !== undefined &&
      (!isSynchronous || all.some(({ role }) => role === 'sync_standby')) &&
      all.every(
        ({ state, timeline, lag = 0 }) =>
          (state === 'running' || state === 'streaming') &&
          timeline === leader.timeline &&
          lag < lagAtMost,
      )
    )
  }

  return {
    onNode: (n: number, user: string, command: string, input?: string) =>
      run('ip', onNode(n, user, command), input),
    startEtcd,
    startPatroni,
    /** As patronictl remove, which asks for the name and for a confirmation. */
    remove: (n: number) =>
      run(
        'ip',
        onNode(
          n,
          'postgres',
          `patronictl -c ${join(folder, `node${n}`, 'patroni.yml')} remove emojid`,
        ),
        'emojid\nYes I am aware\n',
      ),
    killEtcd: (n: number) => killProgram('etcd', n),
    killPatroni: (n: number) => killProgram('patroni', n),
    /** As systemctl stop patroni, which stops PostgreSQL too. */
    async stopPatroni(n: number): Promise<void> {
      const child = running.get(`patroni ${n}`)
      const exit = new Promise((resolve) => child?.once('exit', resolve))
      // The leader key is given back at the end of a clean stop.
      child?.kill('SIGTERM')
      await exit
    },
    killPostmaster: (n: number) => kill(postmasterOf(n), 'SIGKILL'),
    freezePatroni: (n: number) => kill(pidOf('patroni', n), 'SIGSTOP'),
    thawPatroni: (n: number) => kill(pidOf('patroni', n), 'SIGCONT'),
    members,
    isHealthy,
    leader: async () => numberOf((await members()).find(({ role }) => role === 'leader')),
    syncStandby: async () =>
      numberOf((await members()).find(({ role }) => role === 'sync_standby')),
    async waitUntilHealthy(patienceMs = 120_000): Promise<void> {
      for (const end = Date.now() + patienceMs; !(await isHealthy()); await sleep(250)) {
        if (Date.now() > end) {
          throw new Error(`The cluster is not healthy: ${JSON.stringify(await members())}`)
        }
      }
    },
    patroniApi: async (n: number, method: string, path: string, body: object) => {
      const authorization = `Basic ${btoa(`patroni:${passwords['PATRONI_PASSWORD']}`)}`
      const answer = await fetch(`http://${addressOf(n)}:8008${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`Patroni answered ${answer.status} ${text}`)
    },
    /** Drops every packet between this machine and the other machines, or all machines. */
    cut(n: number, from: 'machines' | 'everybody') {
      if (from === 'everybody') return void run('ip', ['link', 'set', `${bridge}${n}`, 'down'])
      for (const other of places.filter((place) => place !== n)) {
        for (const [at, of] of [
          [n, other],
          [other, n],
        ] as const) {
          const rule = ['-A', 'INPUT', '-s', addressOf(of), '-j', 'DROP']
          run('ip', ['netns', 'exec', nameOf(at), 'iptables', ...rule])
        }
      }
    },
    heal() {
      for (const n of places) {
        run('ip', ['link', 'set', `${bridge}${n}`, 'up'])
        run('ip', ['netns', 'exec', nameOf(n), 'iptables', '-F', 'INPUT'])
      }
    },
    async begin() {
      for (const n of places) startEtcd(n)
      for (const n of places) startPatroni(n)
    },
    places,
    stop: removeNetwork,
  }
}

function makeFolder(path: string, owner: string): void {
  mkdirSync(path, { recursive: true, mode: 0o750 })
  chmodSync(path, 0o750)
  run('chown', ['-R', owner, path])
}
