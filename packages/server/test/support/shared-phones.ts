import { type MailedService, mailedService } from './people.ts'
import { smsSink } from './second-factor.ts'
import { fromOwnAddress } from './shared-service.ts'

export type Phones = Awaited<ReturnType<typeof smsSink>>
type Worker = { onCleanup?: (close: () => Promise<void>) => void }

/** One service with a text-message provider for all test files of a worker, as sharedService. */
export async function sharedPhones(): Promise<{ service: MailedService; phones: Phones }> {
  started ??= start()
  const { service, phones } = await started
  return { service: fromOwnAddress(service), phones }
}

let started: ReturnType<typeof start> | undefined

async function start() {
  const phones = await smsSink()
  const env = { SMS_URL: phones.url, TRUST_PROXY: '127.0.0.1' }
  const service = await mailedService({ env })
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: Worker }
  worker?.onCleanup?.(async () => {
    await service.close()
    await phones.close()
  })
  return { service, phones }
}
