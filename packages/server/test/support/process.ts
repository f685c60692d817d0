import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Only reached if the service never gets ready. */
const giveUpMs = 150_000

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export type ServiceProcess = {
  child: ChildProcess
  url: string
  /** The time until the service was ready. Only the stress programs judge it. */
  readyMs: number
  output(): string
  exited: Promise<number | null>
}

/** The built service as its own process, the way it is run. */
export function launch(
  env: Record<string, string>,
  program = main,
): Omit<ServiceProcess, 'readyMs' | 'url'> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: tmpdir(),
      LOG_LEVEL: 'warn',
      SANDBOX_PAYMENTS: 'false',
      SEED_DEMO: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk
    })
  }
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => text, exited: exitCode }
}

export async function launchReady(
  env: Record<string, string>,
  program?: string,
): Promise<ServiceProcess> {
  const start = Date.now()
  const process = launch(env, program)
  const url = `http://127.0.0.1:${env['PORT']}`
  let over = false
  void process.exited.then(() => {
    over = true
  })
  while (!over && Date.now() < start + giveUpMs) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return { ...process, url, readyMs: Date.now() - start }
    await sleep(10)
  }
  process.child.kill('SIGKILL')
  throw new Error(`The service did not become ready:\n${process.output()}`)
}

/** Ports below those that Linux gives to outgoing connections, which would take a port before its service listens. */
const firstPort = 15_000
const portCount = 17_000
const issuedPorts = new Set<number>()

export async function freePort(): Promise<number> {
  const port = firstPort + randomInt(portCount)
  if (issuedPorts.has(port) || !(await canListen(port))) return freePort()
  issuedPorts.add(port)
  return port
}

function canListen(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Available ports and a temporary data folder. */
export async function newPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'emojid-place-'))
  const env = {
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    DATA_DIR: join(folder, 'data'),
  }
  return { env, folder, clear: () => rm(folder, { recursive: true, force: true }) }
}
