import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../../src/config.ts'
import type { Container } from '../../src/container.ts'
import type { GlobalRole } from '../../src/features/operations/access/access.ts'
import { forbidSecondConnections } from '../../src/platform/database/transaction-scope.ts'
import { refillClock } from '../../src/platform/http/limits.ts'
import type { OverloadLimits } from '../../src/platform/http/server/overload.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { FetcherOptions } from '../../src/platform/outside/reach.ts'
import { createHashThread } from '../../src/platform/passwords/thread.ts'
import { startService } from '../../src/service.ts'
import { assertKeepsContract } from './contract.ts'
import { seededDatabase, testDatabase } from './database.ts'
import { httpClient } from './http-client.ts'
import { masterKey, mintSignerKey, signingKey } from './own-keys.ts'
import { freePort } from './process.ts'

forbidSecondConnections()

export type Answer = {
  status: number
  headers: Headers
  body: string
  json<Shape = Record<string, unknown>>(): Shape
  /** The first response of a form, before its redirect. */
  first?: Answer
}

type Call = {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array<ArrayBuffer>
}

type NewAccount = {
  email: string
  password: string | null
  role: GlobalRole
  isVerified: boolean
}

export type TestService = Awaited<ReturnType<typeof testService>>

type Options = {
  env?: Record<string, string>
  /** Uses its local address as public address, so that a browser can follow its links. */
  reachable?: boolean
  /** With `reachable`: the sites have these hosts, which browsers find on this machine. */
  hosts?: { web: string; auth: string }
  /** Connects here instead of to a new database. */
  databaseUrl?: string
  override?: (container: Container) => Container
  /** Gets the secrets that the start of a new demonstration prints. */
  announce?: (line: string) => void
  overload?: OverloadLimits
  /** Which third-party pages it may read: those of a server of the test. */
  outside?: FetcherOptions
  /** This start writes the demonstration with its own addresses and prints its notices. */
  isDemoNew?: boolean
  /** Uses the production time limits. */
  isHurried?: boolean
  /** Uses the production cost of password hashes. */
  isHashingDear?: boolean
}

/** The tests hash thousands of test passwords, and start hundreds of services. */
const cheapHashing = { cost: { memoryCost: 8, timeCost: 1 }, thread: createHashThread() }

/** As many connections as the service has by itself, for races. Most tests need fewer. */
export const usualPool = { DATABASE_POOL_SIZE: '10' }

/** Settings that the demonstration data contains. */
const shapesDemo = /^(SEED_DEMO|MASTER_KEY|ADMIN_.*|(WEB|BASE|AUTH)_URL|PORT)$/

/** Many tests on few cores are not an overload. */
const patient: OverloadLimits = { maxInFlight: 1_000, maxDelayMs: 60_000 }

/** A machine busy with other work is not a fault of the service. */
const patience = 30
/** A shared service gets more requests in a minute than people send. Tests of limits stop this clock. */
refillClock.now = () => patience * performance.now()

const addressesAt = ({ web, auth }: { web: string; auth: string }, port: number) => ({
  WEB_URL: `http://${web}:${port}`,
  AUTH_URL: `http://${auth}:${port}/auth`,
})

/** The whole service in this process, on its own database and a clock that tests move. */
export async function testService(options: Options = {}) {
  const { reachable = false, isHashingDear = false, isDemoNew = false } = options
  const { isHurried = false } = options
  const { databaseUrl, override, announce, overload, outside } = options
  const port = reachable ? await freePort() : 0
  const env = { ...(options.hosts ? addressesAt(options.hosts, port) : {}), ...options.env }
  const isUsualDemo = !isDemoNew && !Object.keys(env).some((name) => shapesDemo.test(name))
  const database = databaseUrl
    ? undefined
    : await (isUsualDemo ? seededDatabase(seed) : testDatabase())
  // A service without SMTP_URL stores its emails in it.
  const dataDir = join(tmpdir(), `emojid-data-${randomUUID()}`)
  const config = configOf({
    DATABASE_URL: databaseUrl ?? database?.url,
    DATA_DIR: dataDir,
    ...(reachable ? { PORT: String(port) } : {}),
    ...env,
  })
  const clock = movableClock()
  const logged: string[] = []
  const service = await startService({
    config: { ...config, port },
    now: clock.now,
    log: createLog(config.log_level, { write: (line) => void logged.push(line) }),
    ...(override ? { override } : {}),
    ...(announce ? { announce } : {}),
    ...(outside ? { outside } : {}),
    overload: overload ?? patient,
    hashing: isHashingDear ? undefined : cheapHashing,
    patience: isHurried ? 1 : patience,
  })

  const client = httpClient(service.address)
  const call = async (method: string, path: string, { headers, body, raw }: Call = {}) => {
    const type =
      body !== undefined ? 'application/json' : typeof raw === 'string' ? 'text/plain' : undefined
    const answer = await client.send({
      method,
      path,
      headers: { ...(type ? { 'content-type': type } : {}), ...lowerCased(headers) },
      body: body === undefined ? raw : JSON.stringify(body),
    })
    const [apiPath] = path.replace(/^\/api/, '').split('?')
    if (path.startsWith('/api/') && apiPath) {
      assertKeepsContract({ method, path: apiPath, status: answer.status, body: answer.body })
    }
    return { ...answer, json: () => JSON.parse(answer.body) } as Answer
  }

  const { db, keys, passwords, sessions } = service.container
  const hashes = new Map<string, Promise<string>>()
  const hashOnce = (password: string): Promise<string> => {
    const hash = hashes.get(password) ?? passwords.hash(password)
    hashes.set(password, hash)
    return hash
  }
  /** Inserts an account directly, which costs a fifth of a registration and sends no email. */
  const enroll = async ({ email, password, role, isVerified }: NewAccount) => {
    const password_hash = password === null ? null : await hashOnce(password)
    const at = clock.now()
    return db.transaction().execute(async (trx) => {
      const { id } = await trx
        .insertInto('users')
        .values({
          email,
          password_hash,
          role,
          email_verified_at: isVerified ? at : null,
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await keys.createCustodialKey(trx, { user_id: id })
      return { id, tokens: await sessions.openSession(trx, id, { user_agent: undefined }) }
    })
  }

  /** A new sign-in, without a request. */
  const openSession = (user_id: string) =>
    db.transaction().execute((trx) => sessions.openSession(trx, user_id, { user_agent: undefined }))

  return {
    app: service.app,
    address: service.address,
    port: Number(new URL(service.address).port),
    webUrl: config.web_url,
    db,
    enroll,
    openSession,
    sendsMail: config.roles.has('worker'),
    records: service.container.records,
    edits: service.container.edits,
    events: service.container.events,
    codes: service.container.codes,
    login: service.container.login,
    database,
    clock,
    logged,
    call,
    get: (path: string, options?: Call) => call('GET', path, options),
    post: (path: string, body?: unknown, options?: Call) =>
      call('POST', path, { ...options, body }),
    patch: (path: string, body?: unknown, options?: Call) =>
      call('PATCH', path, { ...options, body }),
    put: (path: string, body?: unknown, options?: Call) => call('PUT', path, { ...options, body }),
    delete: (path: string, options?: Call) => call('DELETE', path, options),
    async close() {
      client.close()
      await service.stop()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const configOf = (env: Record<string, string | undefined>): Config => ({
  ...readConfig({
    LOG_LEVEL: 'debug',
    ROLES: 'api,auth,web',
    DRAIN_SECONDS: '0',
    // Every connection reads the catalog of its short-lived database anew.
    DATABASE_POOL_SIZE: '3',
    SANDBOX_PAYMENTS: 'false',
    SEED_DEMO: 'true',
    MASTER_KEY: masterKey.toString('base64'),
    SIGNING_KEYS: signingKey.toString('base64'),
    MINT_SIGNER_KEY: mintSignerKey.toString('hex'),
    ...env,
  }),
  port: 0,
  metrics_port: 0,
})

/** Starts the service once on this database, which writes the demonstration. */
async function seed(databaseUrl: string): Promise<void> {
  const config = configOf({ DATABASE_URL: databaseUrl })
  const log = createLog('silent')
  const service = await startService({ config, log, hashing: cheapHashing, patience })
  await service.stop()
}

/** A header of the test replaces the default, in any letter case. */
const lowerCased = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function movableClock() {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance(ms: number) {
      offset += ms
    },
  }
}
