import { type MailedService, mailedService } from './people.ts'
import { smsSink } from './second-factor.ts'
import { closeWithWorker, fromOwnAddress } from './shared-service.ts'

export type Phones = Awaited<ReturnType<typeof smsSink>>

/** One service with a text-message provider for all test files of a worker, as sharedService. */
export async function sharedPhones(): Promise<{ service: MailedService; phones: Phones }> {
  started ??= start()
  const { service, phones } = await started
  return { service: fromOwnAddress(service), phones }
}

let started: ReturnType<typeof start> | undefined

async function start() {
  const phones = await smsSink()
  const env = { SMS_URL: phones.url, TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' }
  const service = await mailedService({ env })
  closeWithWorker(async () => {
    await service.close()
    await phones.close()
  })
  return { service, phones }
}
