import { demoAdmin } from '../../demo/admin.ts'
import { partnerSeed } from '../../demo/partner.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import { createPageFetcher } from '../../platform/outside/fetch-page.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { brandingRoutes, createBranding } from './branding/index.ts'
import { createProxy, proxyRoutes } from './proxy/index.ts'

/** The branding of partner pages, and a proxy for them. */
export function createPartnersWing(parts: Parts & Operations & Identity) {
  const { config, webUrl } = parts
  const branding = createBranding(parts)
  const proxy = createProxy({ fetchPage: createPageFetcher(parts.outside) })
  const ownerEmail = config.admin?.email ?? demoAdmin
  return {
    services: { branding },
    routes: [mount(brandingRoutes, { branding }), mount(proxyRoutes, { proxy })],
    seeds: [partnerSeed({ ...parts, branding }, { ownerEmail, webUrl })],
  }
}
