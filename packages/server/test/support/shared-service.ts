import { type MailedService, mailedService } from './people.ts'
import { type TestService, testService, usualPool } from './service.ts'
import { type ShopService, shopService } from './shop.ts'
import { waitUntil } from './wait.ts'

/** Tests choose their client address. */
const env = { TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' }

/**
 * One service for all test files of a worker, since a start costs as much as dozens of requests.
 * For files that create their own users and ids and read no others. Each file has its own client
 * address, so that it starts with full rate limits.
 */
export async function sharedService(): Promise<TestService> {
  plain ??= closedWithWorker(testService({ env }))
  return fromOwnAddress(await plain)
}

/** The same with the worker of the service, a mail server, and connections for races. */
export async function sharedMailedService(): Promise<MailedService> {
  mailedPromise ??= closedWithWorker(mailedService({ env: { ...env, ...usualPool } }))
  return fromOwnAddress(await mailedPromise)
}

/** The same with payment providers, for files that move neither the clock nor the prices. */
export async function sharedShop(): Promise<ShopService> {
  shop ??= closedWithWorker(shopService(env))
  return fromOwnAddress(await shop)
}

/** A service reachable at its public addresses, for clients that send a few requests each. */
export async function sharedReachableService(): Promise<TestService> {
  reachable ??= closedWithWorker(testService({ reachable: true }))
  return reachable
}

/** Two processes on one database. Moving the clock of one moves that of the other. */
export async function sharedPair(): Promise<{ service: TestService; second: TestService }> {
  pair ??= startPair()
  const { service, second } = await pair
  return { service: fromOwnAddress(service), second: fromOwnAddress(second) }
}

let plain: Promise<TestService> | undefined
let mailedPromise: Promise<MailedService> | undefined
let shop: Promise<ShopService> | undefined
let reachable: Promise<TestService> | undefined
let pair: ReturnType<typeof startPair> | undefined
let files = 0

async function startPair() {
  const roomyEnv = { ...env, ...usualPool }
  const service = await closedWithWorker(testService({ env: roomyEnv }))
  const databaseUrl = String(service.database?.url)
  return { service, second: await closedWithWorker(testService({ env: roomyEnv, databaseUrl })) }
}

/** The same service, called from a wide network that no other test uses. It trusts our proxy header. */
export function fromOwnAddress<Service extends TestService>(service: Service): Service {
  files++
  const own = { 'x-forwarded-for': `10.${files & 255}.${files >> 8}.1` }
  const call: TestService['call'] = (method, path, options = {}) =>
    service.call(method, path, { ...options, headers: { ...own, ...options.headers } })
  const calls: Pick<TestService, 'call' | 'get' | 'post' | 'patch' | 'put' | 'delete'> = {
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    delete: (path, options) => call('DELETE', path, options),
  }
  return { ...service, ...calls }
}

type Worker = { onCleanup?: (close: () => Promise<void>) => void }

/** Vitest ends a worker only after its cleanups; hooks of files run too early. */
export function closeWithWorker(close: () => Promise<void>): void {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: Worker }
  worker?.onCleanup?.(close)
}

async function closedWithWorker<Service extends TestService>(
  startingService: Promise<Service>,
): Promise<Service> {
  const service = await startingService
  closeWithWorker(() => service.close())
  // Loading the modules may have delayed the database notifications.
  await waitUntil(async () => (await service.get('/health/ready')).status === 200)
  return service
}
