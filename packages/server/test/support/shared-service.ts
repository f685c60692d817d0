import { setTimeout as sleep } from 'node:timers/promises'
import { type MailedService, mailedService } from './people.ts'
import { type TestService, testService } from './service.ts'

const day = 24 * 60 * 60_000

/**
 * One service for all test files of a worker, since a start costs as much as dozens of requests.
 * For files that bring their own people and ids and read nothing of others. Each file begins a day
 * later by the clock of the service, so that no rate limit is used up when it begins.
 */
export async function sharedService(): Promise<TestService> {
  plain ??= closedWithWorker(testService())
  return onNextDay(await plain)
}

/** The same with the worker of the service and a mail server. */
export async function sharedMailedService(): Promise<MailedService> {
  mailed ??= closedWithWorker(mailedService())
  return onNextDay(await mailed)
}

/** The same with public addresses that lead to it, for clients; its clock is theirs. */
export async function sharedReachableService(): Promise<TestService> {
  reachable ??= closedWithWorker(testService({ reachable: true }))
  return reachable
}

let plain: Promise<TestService> | undefined
let mailed: Promise<MailedService> | undefined
let reachable: Promise<TestService> | undefined

function onNextDay<Service extends TestService>(service: Service): Service {
  service.clock.advance(day)
  return service
}

type Worker = { onCleanup?: (close: () => Promise<void>) => void }

/** Vitest ends a worker only after its cleanups; hooks of files run too early. */
async function closedWithWorker<Service extends TestService>(
  starting: Promise<Service>,
): Promise<Service> {
  const service = await starting
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: Worker }
  worker?.onCleanup?.(() => service.close())
  // Loading all this may have kept the service from hearing its database.
  while ((await service.get('/health/ready')).status !== 200) await sleep(50)
  return service
}
