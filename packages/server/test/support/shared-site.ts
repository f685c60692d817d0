import { smsSink } from './second-factor.ts'
import { closeWithWorker } from './shared-service.ts'
import { type ShopService, shopService } from './shop.ts'

export type Site = ShopService & { phones: Awaited<ReturnType<typeof smsSink>> }

export const legalLinks = {
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
}

/**
 * One reachable service with mail, text messages and payment providers for the test files of a
 * worker, since pages of a known address start from compiled scripts. For files that create their
 * own users and ids and read no others. They may move its clock forward.
 */
export function sharedSite(): Promise<Site> {
  site ??= startSite()
  return site
}

let site: Promise<Site> | undefined

async function startSite(): Promise<Site> {
  const phones = await smsSink()
  const shop = await shopService({ ...legalLinks, SMS_URL: phones.url }, { reachable: true })
  closeWithWorker(async () => {
    await shop.close()
    await phones.close()
  })
  return { ...shop, phones }
}
