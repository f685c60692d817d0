import { demoAdmin } from '../../demo/admin.ts'
import { partnerSeed } from '../../demo/partner.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import { purgeJobs } from '../../platform/jobs/jobs.ts'
import { isLoopbackAddress } from '../../platform/outside/addresses.ts'
import { createPageFetcher } from '../../platform/outside/fetch-page.ts'
import { createPoster } from '../../platform/outside/post-body.ts'
import { isPublicPage, resolveWithLocalhost } from '../../platform/outside/reach.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import type { People } from '../people/index.ts'
import { createBranding } from './branding/branding.ts'
import { brandingRoutes } from './branding/routes.ts'
import { createProxy } from './proxy/proxy.ts'
import { proxyRoutes } from './proxy/routes.ts'
import { adminWebhookRoutes, webhookRoutes } from './webhooks/routes.ts'
import { createWebhooks, purgeDeliveries } from './webhooks/webhooks.ts'

/** The branding of partner pages, a proxy for them, and webhooks. */
export function createPartnersWing(parts: Parts & Operations & Identity & People) {
  const { config, webUrl } = parts
  const branding = createBranding(parts)
  const proxy = createProxy({ fetchPage: createPageFetcher(parts.outside) })
  const allowsHttp = config.loopback
  const mayReach = (address: string, url: URL) =>
    isPublicPage(address, url) || (config.loopback && isLoopbackAddress(address))
  const names = config.loopback ? { resolve: resolveWithLocalhost } : {}
  const poster = createPoster({ mayReach, ...names, ...parts.outside })
  const webhooks = createWebhooks({ ...parts, poster, allowsHttp })
  parts.accountExport.addRemotePart('webhook_endpoints', webhooks.exportEndpoints)
  const ownerEmail = config.admin?.email ?? demoAdmin
  return {
    services: { branding, webhooks },
    routes: [
      mount(brandingRoutes, { branding }),
      mount(proxyRoutes, { proxy }),
      mount(webhookRoutes, { webhooks }),
      mount(adminWebhookRoutes, { webhooks }),
    ],
    jobs: [purgeJobs(parts, [['webhooks.purge', '40 * * * *', purgeDeliveries]])],
    seeds: [partnerSeed({ ...parts, branding }, { ownerEmail, webUrl })],
  }
}
