// Measures `npm start` in fresh clones, the sizes of the installs, and the memory of everything
// that it leaves running, without PostgreSQL: npm run bench:start
// Within ten minutes on an idle machine: npm run bench:start -- LOAD_MINUTES=4
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../packages/server/test/support/process.ts'
import { processorSeconds, report } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const option = process.argv.find((word) => word.startsWith('LOAD_MINUTES='))
const loadMinutes = Number(option?.split('=')[1] ?? 10)
const promised = {
  cold_seconds: 30,
  warm_seconds: 2,
  production_install_mb: 200,
  idle_mb: 200,
  api_only_idle_mb: 120,
}
const warmStarts = 5
const idleMs = 30_000
const giveUpMs = 15 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'emojid-start-'))
const [port, metricsPort, sandboxPort] = [await freePort(), await freePort(), await freePort()]
const address = `http://127.0.0.1:${port}`
// Vite set NODE_ENV for this program; the measured command runs without it.
const { NODE_ENV: _, ...inherited } = process.env
const env: NodeJS.ProcessEnv = {
  ...inherited,
  PORT: `${port}`,
  METRICS_PORT: `${metricsPort}`,
  SANDBOX_PORT: `${sandboxPort}`,
  DATA_DIR: join(folder, 'data'),
  npm_config_cache: join(folder, 'npm-cache'),
}

const load_before = loadavg()[0]?.toFixed(2)
const cold = {
  with_empty_npm_cache: await measureCold('first'),
  with_filled_npm_cache: await measureCold('second'),
}
const clone = join(folder, 'second')
const warm = []
for (let n = 0; n < warmStarts; n++) warm.push(await measureStart(clone))
const warmTimes = warm.map(({ seconds }) => seconds).toSorted((one, other) => one - other)
const startInstall = megabytes(join(clone, 'node_modules'))

const started = await start(clone, ['npm', 'start'])
await sleep(idleMs)
const idle = memoryOf(started)
const requests = await visit(loadMinutes * 60_000)
await sleep(idleMs)
const afterLoad = memoryOf(started)
await stop(started)

const slim = spawnSync('npm', ['run', 'build:slim'], { cwd: clone, env, encoding: 'utf8' })
if (slim.status !== 0) throw new Error(slim.stderr)
// No registry answers, and nothing is stored.
env['npm_config_registry'] = 'http://127.0.0.1:9'
env['npm_config_cache'] = join(folder, 'no-cache')
env['ROLES'] = 'api'
const lean = ['node', '--max-semi-space-size=4', 'packages/server/dist/main.js']
const apiOnly = await start(clone, lean)
await sleep(idleMs)
const apiOnlyIdle = memoryOf(apiOnly)
await stop(apiOnly)
const bareNode = spawn('node', ['-e', 'setInterval(() => {}, 1000)'])
await sleep(1_000)
const bareNodeIdle = memoryOf(bareNode)
await stop(bareNode)

report(new URL('.', import.meta.url), 'start', {
  load_before,
  promised,
  cold,
  warm: {
    median_seconds: warmTimes[2],
    slowest_seconds: warmTimes.at(-1),
    processor_seconds: warm[0]?.processor_seconds,
  },
  install_mb: {
    start: startInstall,
    production: megabytes(join(clone, 'node_modules')),
    production_with_code: megabytes(clone) - megabytes(join(clone, '.git')),
  },
  memory_mb: {
    idle,
    after_load: { minutes: loadMinutes, requests, ...afterLoad },
    api_only_idle: apiOnlyIdle,
    bare_node_idle: bareNodeIdle,
  },
})
rmSync(folder, { recursive: true, force: true })

async function measureCold(name: string) {
  const path = join(folder, name)
  spawnSync('git', ['clone', '--quiet', root, path])
  rmSync(join(folder, 'data'), { recursive: true, force: true })
  return measureStart(path)
}

async function measureStart(path: string) {
  const [begin, processorBegin] = [Date.now(), processorSeconds()]
  const program = await start(path, ['npm', 'start'])
  const seconds = round((Date.now() - begin) / 1000)
  await stop(program)
  return { seconds, processor_seconds: round(processorSeconds() - processorBegin) }
}

/** Resolves when the service is ready. */
async function start(cwd: string, [command = '', ...args]: string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const deadline = Date.now() + giveUpMs
  while (child.exitCode === null && Date.now() < deadline) {
    const answer = await fetch(`${address}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return child
    await sleep(20)
  }
  child.kill()
  throw new Error('The service did not become ready.')
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** Lookups, searches and pages, one after the other, as a small directory gets them. */
async function visit(milliseconds: number): Promise<number> {
  const paths = [
    '/api/emoji_id/🔥🐍',
    '/api/emoji_id/🔥🐍/BTC',
    '/api/emoji',
    '/',
    '/🔥🐍',
    '/api/emoji_id/search?emoji_id=🌵🌮',
  ]
  const deadline = Date.now() + milliseconds
  let count = 0
  while (Date.now() < deadline) {
    const answer = await fetch(`${address}${paths[count % paths.length]}`)
    await answer.arrayBuffer()
    count++
  }
  return count
}

/**
 * Memory by process, and all of it. Pages of files that several processes share, such as those of
 * Node, count once, whatever else runs on the machine.
 */
function memoryOf(child: ChildProcess) {
  const files = new Map<string, number>()
  const byProcess: Record<string, number> = {}
  let own = 0
  for (const pid of familyOf(child.pid as number)) {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    if (command.includes('postgres')) continue
    const parts = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    let ofProcess = 0
    for (const part of parts) {
      const [, offset, path] = /^\S+ \S+ (\S+) \S+ \d+ *(.*)/.exec(part) ?? []
      const resident = Number(/^Rss: +(\d+)/m.exec(part)?.[1] ?? 0)
      const anonymous = Number(/^Anonymous: +(\d+)/m.exec(part)?.[1] ?? 0)
      const key = `${path} ${offset}`
      own += anonymous
      files.set(key, Math.max(files.get(key) ?? 0, resident - anonymous))
      ofProcess += resident
    }
    byProcess[command.replace(/ \/.*/, '')] = Math.round(ofProcess / 1024)
  }
  const shared = [...files.values()].reduce((sum, size) => sum + size, 0)
  return {
    total: Math.round((own + shared) / 1024),
    private: Math.round(own / 1024),
    resident_by_process: byProcess,
  }
}

/** A process and all that it started. */
function familyOf(first: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
        return [{ pid: Number(pid), parent: Number(stat.split(' ')[1]) }]
      } catch {
        return []
      }
    })
  const family = [first]
  for (const member of family)
    family.push(...parents.filter(({ parent }) => parent === member).map(({ pid }) => pid))
  return family
}

function megabytes(path: string): number {
  const { stdout } = spawnSync('du', ['-sm', path], { encoding: 'utf8' })
  return Number(stdout.split('\t')[0])
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
