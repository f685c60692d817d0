import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { launch, launchReady, newPlace, type ServiceProcess } from '../support/process.ts'

const lookupPath = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`

let place: Awaited<ReturnType<typeof newPlace>>
let service: ServiceProcess
/** The embedded database, and the processes of the service except for the supervisor. */
const childrenOf = ({ child: { pid } }: ServiceProcess): number[] => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').map(Number)
}
const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
const isRunning = (pid: number): boolean => environmentOf(pid) !== ''
function pidOf(name: string): number {
  const pids = childrenOf(service)
  const pid = pids.find((one) => environmentOf(one).includes(`{"name":"${name}"`))
  if (pid === undefined) throw new Error(`There is no process ${name}`)
  return pid
}

async function readyProcesses(): Promise<string[]> {
  const { body } = await request(`http://127.0.0.1:${place.env.METRICS_PORT}/metrics`)
  const text = await body.text()
  return [...text.matchAll(/^process_ready\{process="(.*)"\} 1$/gm)].map(([, name]) => name ?? '')
}
const allReady = () => expect.poll(readyProcesses).toEqual(['jobs', 'http-1', 'http-2'])

/** A new connection for each request. */
async function ask(path: string): Promise<number> {
  const { statusCode, body } = await request(`${service.url}${path}`, { reset: true })
  await body.dump()
  return statusCode
}

/** A connection, and the HTTP process that accepted it. */
async function connect() {
  const client = new Client(service.url)
  const { body } = await client.request({ method: 'GET', path: '/health/ready' })
  const { process } = (await body.json()) as { process: string }
  return { client, process }
}

beforeAll(async () => {
  place = await newPlace()
  service = await launchReady({
    ...place.env,
    ROLES: 'api,worker',
    SEED_DEMO: 'false',
    PROCESSES: '2',
  })
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await place.clear()
})

describe('two HTTP processes behind one port', () => {
  it('share the limit of a client, who gets no more by connecting to both', async () => {
    await allReady()
    const connections = [await connect()]
    const isOfOne = () => new Set(connections.map(({ process }) => process)).size === 1
    for (let n = 0; n < 200 && isOfOne(); n++) connections.push(await connect())
    const path = '/api/lootboxes/none/proof'
    const begin = performance.now()
    let [admitted, limit] = [0, 0]
    const send = async ({ client }: (typeof connections)[number]) => {
      for (let n = 0; n < 100; n++) {
        const { statusCode, headers, body } = await client.request({ method: 'GET', path })
        await body.dump()
        limit = Number(headers['ratelimit-limit'])
        if (statusCode !== 429) admitted++
      }
    }
    const [first, ...others] = connections
    const other = others.find(({ process }) => process !== first?.process)
    await Promise.all([first, first, other, other].map((one) => one && send(one)))
    const refilled = (limit * (performance.now() - begin)) / 60_000
    for (const { client } of connections) await client.destroy()

    expect(other).toBeDefined()
    expect(limit).toBe(120)
    expect(admitted).toBeGreaterThanOrEqual(limit)
    expect(admitted).toBeLessThanOrEqual(1.05 * limit + refilled)
  })

  it('replace a killed process while the other one responds', async () => {
    const killed = pidOf('http-1')
    process.kill(killed, 'SIGKILL')
    await expect.poll(readyProcesses).not.toContain('http-1')
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(lookupPath)))
    await allReady()

    expect(new Set(statuses)).toEqual(new Set([404]))
    expect(pidOf('http-1')).not.toBe(killed)
    expect(service.output()).toContain('"ended":"http-1"')
  })

  it('restart one by one at SIGHUP, and no request fails', async () => {
    const former = ['jobs', 'http-1', 'http-2'].map(pidOf)
    let isOver = false
    const failures: unknown[] = []
    const load = async () => {
      while (!isOver) {
        const status = await ask(lookupPath).catch((error) => error)
        if (status !== 404) failures.push(status)
        await sleep(10)
      }
    }
    const running = [load(), load()]
    service.child.kill('SIGHUP')
    for (const pid of former) await expect.poll(() => isRunning(pid)).toBe(false)
    await allReady()
    isOver = true
    await Promise.all(running)

    expect(failures).toEqual([])
    expect(service.child.exitCode).toBeNull()
  })

  it('end with a killed supervisor, and so does the embedded database', async () => {
    const children = childrenOf(service)
    service.child.kill('SIGKILL')

    expect(children.length).toBeGreaterThanOrEqual(4)
    await expect.poll(() => children.filter(isRunning)).toEqual([])
  })
})

it('stops with the reason when a process cannot start', async () => {
  const database = await testDatabase()
  const { exited, output } = launch({
    ...place.env,
    DATABASE_URL: database.url,
    SEED_DEMO: 'false',
    PROCESSES: '2',
    ADMIN_EMAIL: 'first@example.com',
    ADMIN_PASSWORD: 'password',
  })

  expect(await exited).toBe(1)
  expect(output()).toContain('ADMIN_PASSWORD is too weak')
  await database.drop()
})
