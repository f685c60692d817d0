import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { Agent, fetch as request } from 'undici'
import { freePort, launch, type ServiceProcess } from '../test/support/process.ts'
import { findPrograms, startCluster } from './replica-postgres.ts'

const shipped = (path: string) =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')
export const hosts = { api: 'api.example.com', auth: 'auth.example.com', web: 'www.example.com' }

export type Stage = Awaited<ReturnType<typeof setStage>>

/**
 * Two processes behind nginx on a primary and a replica, set up from the files in deploy/. With
 * `processes` it is one command with so many HTTP processes behind one port.
 */
export async function setStage({ processes }: { processes?: number } = {}) {
  const programs = findPrograms()
  const folder = await mkdtemp(join(tmpdir(), 'emojid-replica-'))
  chmodSync(folder, 0o755)
  const cluster = await startCluster(join(folder, 'pg'), programs.bin)
  const ports = {
    http: await freePort(),
    https: await freePort(),
    processes: [await freePort(), ...(processes ? [] : [await freePort()])],
  }
  const admin = { email: 'admin@example.com', password: 'seven blue herons at dawn' }
  const common: Record<string, string> = {
    ...variablesOf('env/common.env'),
    DATABASE_URL: cluster.urls.primary,
    DATABASE_REPLICA_URL: cluster.urls.replica,
    MASTER_KEY: randomBytes(32).toString('base64'),
    SIGNING_KEYS: randomBytes(32).toString('base64'),
    MINT_SIGNER_KEY: randomBytes(32).toString('hex'),
    SMTP_URL: 'smtp://127.0.0.1:9',
    ADMIN_PASSWORD: admin.password,
    SEED_DEMO: 'false',
  }
  const environments = await Promise.all(
    ports.processes.map(async (port, n) => ({
      ...common,
      ...variablesOf(`env/${n + 1}.env`),
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'error',
      // nginx would answer most lookups.
      ...(processes ? { PROCESSES: String(processes), LOOKUP_MAX_AGE: '0' } : {}),
    })),
  )
  const services: ServiceProcess[] = []
  process.once('exit', () => {
    for (const { child } of services) child.kill('SIGKILL')
  })
  for (const environment of environments) services.push(await launchPatiently(environment))
  const nginx = await startNginx(join(folder, 'nginx'), programs, ports)

  const agentFrom = (localAddress: string) =>
    new Agent({
      connect: {
        ca: nginx.certificate,
        localAddress,
        lookup: (_host, _options, callback) =>
          callback(null, [{ address: '127.0.0.1', family: 4 }]),
      },
      connections: 50,
    })
  const agents = new Map<string, Agent>()
  const through = (host: string, path: string, options: RequestInput = {}) => {
    const { from = '127.0.0.1', ...init } = options
    const dispatcher = agents.get(from) ?? agentFrom(from)
    agents.set(from, dispatcher)
    return request(`https://${host}:${ports.https}${path}`, {
      redirect: 'manual',
      dispatcher,
      ...init,
    })
  }
  let app: TOTP | undefined
  const direct = (n: number, path: string, init: RequestInput = {}) =>
    request(`http://127.0.0.1:${ports.processes[n]}${path}`, { redirect: 'manual', ...init })

  return {
    cluster,
    services,
    metricsUrls: environments.map(({ METRICS_PORT }) => `http://127.0.0.1:${METRICS_PORT}/metrics`),
    through,
    direct,
    admin,
    maxBehindMs: Number(common['REPLICA_MAX_BEHIND_SECONDS']) * 1_000,
    maxAgeMs: Number(common['LOOKUP_MAX_AGE']) * 1_000,
    versions: { postgres: cluster.version, nginx: nginx.version },
    pathOf: (id: string) => `/emoji_id/${encodeURIComponent(id)}`,
    async killService(n: number) {
      services[n]?.child.kill('SIGKILL')
      await services[n]?.exited
    },
    async reviveService(n: number) {
      services[n] = await launchPatiently(environments[n] ?? {})
    },
    /** Signs the administrator in at the first process. Operators need a second factor. */
    async logIn() {
      const answer = await direct(0, '/api/auth/token', json('POST', admin))
      const tokens = (await answer.json()) as { access_token: string; refresh_token: string }
      if (app) {
        // The service accepts a code once, so a new sign-in waits for the next code.
        await sleep(app.remaining())
        const body = { refresh_token: tokens.refresh_token, code: app.generate() }
        const codeAnswer = await direct(0, '/api/auth/2fa', json('POST', body))
        return ((await codeAnswer.json()) as { access_token: string }).access_token
      }
      const post = (path: string, body: object) =>
        direct(0, `/api/account/2fa/${path}`, json('POST', body, tokens.access_token))
      const enableAnswer = await post('enable', { provider: 'AuthenticatorApp' })
      const { ga_secret } = (await enableAnswer.json()) as { ga_secret: string }
      app = new TOTP({ secret: Secret.fromBase32(ga_secret) })
      const confirmationAnswer = await post('confirm', { code: app.generate() })
      const text = await confirmationAnswer.text()
      if (confirmationAnswer.status !== 200)
        throw new Error(`The second factor was refused: ${text}`)
      return tokens.access_token
    },
    async clear() {
      for (const agent of agents.values()) await agent.destroy()
      await nginx.stop()
      for (const { child, exited } of services) {
        child.kill('SIGTERM')
        await exited
      }
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** On a busy machine and under load a start takes longer than the tests' timeout. */
async function launchPatiently(environment: Record<string, string>): Promise<ServiceProcess> {
  const start = Date.now()
  const service = launch(environment)
  const url = `http://127.0.0.1:${environment['PORT']}`
  while (service.child.exitCode === null && Date.now() < start + 600_000) {
    const answer = await request(`${url}/health/ready`).catch(() => undefined)
    await answer?.text().catch(() => '')
    if (answer?.status === 200) return { ...service, url, readyMs: Date.now() - start }
    await sleep(100)
  }
  service.child.kill('SIGKILL')
  throw new Error(`The service did not become ready:\n${service.output()}`)
}

type RequestInput = {
  from?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export const json = (method: string, body: object, token?: string): RequestInput => ({
  method,
  headers: {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  },
  body: JSON.stringify(body),
})

const variablesOf = (path: string): Record<string, string> =>
  parseEnv(shipped(path)) as Record<string, string>

/** As the comment in the file says. */
const onePort = {
  '    server 127.0.0.1:3001 max_fails=1 fail_timeout=2s;\n': '',
  '    server 127.0.0.1:3002 max_fails=1 fail_timeout=2s;\n': '',
  '    # server 127.0.0.1:3001 max_fails=0;': '    server 127.0.0.1:3001 max_fails=0;',
}

type Ports = { http: number; https: number; processes: number[] }

/** The shipped configuration with this machine's ports, folders and certificate. */
async function startNginx(
  folder: string,
  programs: { nginx: string; openssl: string },
  ports: Ports,
) {
  mkdirSync(join(folder, 'snippets'), { recursive: true })
  const subject = [
    '-subj',
    '/CN=emojid',
    '-addext',
    `subjectAltName=${Object.values(hosts).map((host) => `DNS:${host}`)}`,
  ]
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  spawnSync(programs.openssl, [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    ...files,
  ])
  const replaced = replaceAll(shipped('nginx/emojid.conf'), {
    '/etc/emojid/tls': folder,
    '/var/cache/emojid-nginx': join(folder, 'cache'),
    'snippets/emojid-proxy.conf': join(folder, 'snippets/emojid-proxy.conf'),
    ...(ports.processes.length === 1
      ? onePort
      : { '127.0.0.1:3002': `127.0.0.1:${ports.processes[1]}` }),
    '127.0.0.1:3001': `127.0.0.1:${ports.processes[0]}`,
    'listen 443': `listen 127.0.0.1:${ports.https}`,
    'listen 80': `listen 127.0.0.1:${ports.http}`,
  })
  writeFileSync(join(folder, 'emojid.conf'), replaced)
  writeFileSync(join(folder, 'snippets/emojid-proxy.conf'), shipped('nginx/emojid-proxy.conf'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 2000; }
     http { access_log off; server_tokens off; ${temporary} include ${folder}/emojid.conf; }`,
  )
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const tried = spawnSync(programs.nginx, [...args, '-t'], { encoding: 'utf8' })
  if (tried.status !== 0) throw new Error(`nginx does not take its configuration:\n${tried.stderr}`)
  const child = spawn(programs.nginx, args, { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGTERM'))
  const exitCode = new Promise((resolve) => child.once('exit', resolve))
  await sleep(500)
  const { stderr } = spawnSync(programs.nginx, ['-v'], { encoding: 'utf8' })
  return {
    version: /nginx\/([\d.]+)/.exec(stderr)?.[1],
    warnings: tried.stderr.split('\n').filter((line) => line.includes('[warn]')),
    certificate: readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
    async stop() {
      child.kill('SIGTERM')
      await exitCode
    },
  }
}

function replaceAll(text: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`deploy/nginx/emojid.conf does not have ${from}`)
    return replaced.replaceAll(from, to)
  }, text)
}
