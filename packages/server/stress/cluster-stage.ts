// The service on the three machines of cluster-nodes.ts: two processes, each with its own HAProxy.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@emojid/sandbox'
import pg from 'pg'
import { freePort, launchReady, type ServiceProcess } from '../test/support/process.ts'
import { smtpSink } from '../test/support/smtp.ts'
import { admin, callAt, patiently, type RequestInput } from './account-stage.ts'
import {
  clusterValues,
  databasePassword as password,
  removeNetwork,
  render,
  startNodes,
} from './cluster-nodes.ts'
import { openShop } from './commerce-stage.ts'

/** The age that REPLICA_MAX_BEHIND_SECONDS of docs/cluster.md permits without a primary. */
const replicaMaxBehindSeconds = 30
/** Holds are short, so that many end during a fault. */
const holdSeconds = 5

export type ClusterStage = Awaited<ReturnType<typeof openStage>>
type Options = { changePatroni?: (text: string) => string }

/** Removes its processes and its network afterwards, also after Ctrl-C. */
export async function onCluster<Result>(
  play: (stage: ClusterStage) => Promise<Result>,
  options: Options = {},
): Promise<Result> {
  const interrupt = () => process.exit(130)
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const folder = await mkdtemp(join(tmpdir(), 'emojid-cluster-'))
  chmodSync(folder, 0o755)
  let stage: ClusterStage | undefined
  try {
    stage = await openStage(folder, options)
    return await play(stage)
  } finally {
    await stage?.close()
    removeNetwork()
    await rm(folder, { recursive: true, force: true })
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function openStage(folder: string, { changePatroni }: Options) {
  const nodes = await startNodes({ folder, ...(changePatroni && { changePatroni }) })
  await nodes.begin()
  await nodes.waitUntilHealthy()
  // The commands of docs/cluster.md.
  const leader = await nodes.leader()
  nodes.onNode(leader, 'postgres', 'psql -X -v ON_ERROR_STOP=1 postgres', createDatabase)
  nodes.onNode(leader, 'postgres', 'pgbackrest --stanza=emojid stanza-create')

  const secrets = {
    card_key: `sk_test_${randomBytes(24).toString('hex')}`,
    card_webhooks: `whsec_${randomBytes(24).toString('hex')}`,
    crypto_key: randomBytes(24).toString('hex'),
    crypto_webhooks: randomBytes(24).toString('hex'),
  }
  const sink = await smtpSink()
  const ports = [await freePort(), await freePort()]
  const [sandboxPort, base] = [await freePort(), `http://localhost:${ports[0]}`]
  const sandbox = await startSandbox({
    dataDir: join(folder, 'sandbox'),
    port: sandboxPort,
    card: {
      secretKey: secrets.card_key,
      webhookSecret: secrets.card_webhooks,
      webhookUrl: `${base}/api/webhooks/card`,
    },
    crypto: {
      apiKey: secrets.crypto_key,
      storeId: 'sandbox',
      webhookSecret: secrets.crypto_webhooks,
      webhookUrl: `${base}/api/webhooks/crypto`,
    },
  })
  const common = {
    BASE_URL: `${base}/api`,
    AUTH_URL: `${base}/auth`,
    WEB_URL: base,
    TRUST_PROXY: '127.0.0.1',
    DEV_PAGES: 'false',
    SEED_DEMO: 'false',
    LOG_LEVEL: 'error',
    REPLICA_MAX_BEHIND_SECONDS: String(replicaMaxBehindSeconds),
    MASTER_KEY: randomBytes(32).toString('base64'),
    SIGNING_KEYS: randomBytes(32).toString('base64'),
    MINT_SIGNER_KEY: randomBytes(32).toString('hex'),
    SMTP_URL: sink.url,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    STRIPE_SECRET_KEY: secrets.card_key,
    STRIPE_WEBHOOK_SECRET: secrets.card_webhooks,
    STRIPE_API_URL: `http://127.0.0.1:${sandboxPort}`,
    BTCPAY_URL: `http://127.0.0.1:${sandboxPort}`,
    BTCPAY_API_KEY: secrets.crypto_key,
    BTCPAY_STORE_ID: 'sandbox',
    BTCPAY_WEBHOOK_SECRET: secrets.crypto_webhooks,
    CART_TTL_SECONDS: String(holdSeconds),
    FREE_CEILING_CENTS: '1000',
  }
  const children: ChildProcess[] = []
  const services: ServiceProcess[] = []
  process.once('exit', () => {
    for (const child of [...children, ...services.map((service) => service.child)])
      child.kill('SIGKILL')
  })
  const urlAt = (address: string) => `postgres://emojid:${password}@${address}/emojid`
  const proxies = [await startHaproxy(folder), await startHaproxy(folder)]
  children.push(...proxies.map(({ child }) => child))
  const environments = await Promise.all(
    proxies.map(async ({ primary, replica }, n) => ({
      ...common,
      PORT: String(ports[n]),
      METRICS_PORT: String(await freePort()),
      DATA_DIR: folder,
      DATABASE_URL: urlAt(primary),
      DATABASE_REPLICA_URL: urlAt(replica),
    })),
  )
  const primary = environments[0]?.DATABASE_URL ?? ''
  const startServices = async (changes: Record<string, string> = {}) => {
    while (!(await canConnect(primary))) await sleep(100)
    for (const environment of environments)
      services.push(await launchReady({ ...environment, ...changes }))
  }
  const stopServices = async () => {
    for (const { child, exited } of services.splice(0)) {
      child.kill('SIGTERM')
      await exited
    }
  }
  await startServices()

  let calls = 0
  const wrong5xx: string[] = []
  /** Alternates between the processes. */
  const call = async (method: string, path: string, request: RequestInput = {}) => {
    const url = `http://127.0.0.1:${ports[calls++ % ports.length]}`
    const answer = await callAt(url, method, path, request)
    if (answer && answer.status >= 500 && answer.status !== 503) {
      wrong5xx.push(`${method} ${path.slice(0, 60)} answered ${answer.status} ${answer.text}`)
    }
    return answer
  }
  const shop = await openShop(
    {
      call,
      patiently,
      post: (path: string, body: unknown) => call('POST', path, { body }),
      async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
        const client = new pg.Client({ connectionString: primary, query_timeout: 10_000 })
        client.on('error', () => {})
        await client.connect()
        try {
          return (await client.query<Row>(sql, values)).rows
        } finally {
          await client.end()
        }
      },
    },
    sandboxPort,
    secrets,
  )
  return {
    ...shop,
    nodes,
    /** The stream is read from the second process. */
    port: ports[1] ?? 0,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    wrong5xx,
    /** A process that is connected to this address without HAProxy. */
    async launchDirectly(address: string): Promise<string> {
      const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
      const place = { PORT, METRICS_PORT, DATABASE_URL: urlAt(address), DATABASE_REPLICA_URL: '' }
      services.push(await launchReady({ ...common, DATA_DIR: folder, ...place }))
      return `http://127.0.0.1:${PORT}`
    },
    startServices,
    stopServices,
    /** The environment in which commands of the service run. */
    environment: environments[0] ?? {},
    async close() {
      await stopServices()
      for (const child of children) child.kill('SIGTERM')
      await sandbox.close()
      await sink.close()
    },
  }
}

const createDatabase = `
  create role emojid login password '${password}';
  create database emojid owner emojid template template0 encoding 'UTF8' locale 'C.UTF-8';`

const canConnect = (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

/** The shipped HAProxy with free ports. */
async function startHaproxy(folder: string) {
  const [primary, replica] = [await freePort(), await freePort()]
  const file = join(folder, `haproxy-${primary}.cfg`)
  const text = render('haproxy.cfg', clusterValues())
    .replaceAll('127.0.0.1:5000', `127.0.0.1:${primary}`)
    .replaceAll('127.0.0.1:5001', `127.0.0.1:${replica}`)
  writeFileSync(file, text)
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'haproxy', '-db', '-f', file], {
    stdio: 'ignore',
  })
  return { child, primary: `127.0.0.1:${primary}`, replica: `127.0.0.1:${replica}` }
}
