import { demoAdmin } from '../../demo/admin.ts'
import { partnerSeed } from '../../demo/partner.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import { createPageFetcher } from '../../platform/outside/fetch-page.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createPartners, partnerRoutes } from './branding/index.ts'
import { createProxy, proxyRoutes } from './proxy/index.ts'

/** What partners need for their flows: branding, and a proxy for their pages. */
export function createPartnerWing(parts: Parts & Operations & Identity) {
  const { config, webUrl } = parts
  const partners = createPartners(parts)
  const proxy = createProxy({ fetchPage: createPageFetcher(parts.outside) })
  const ownerEmail = config.admin?.email ?? demoAdmin
  return {
    services: { partners },
    routes: [mount(partnerRoutes, { partners }), mount(proxyRoutes, { proxy })],
    seeds: [partnerSeed({ ...parts, partners }, { ownerEmail, webUrl })],
  }
}
