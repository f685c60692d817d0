import { applicationSeed } from '../../demo/application.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import { purgeJobs } from '../../platform/jobs/jobs.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { createClients } from './clients/clients.ts'
import { clientRoutes } from './clients/routes.ts'
import { createGrants, purgeGrants } from './grants/grants.ts'
import { grantRoutes } from './grants/routes.ts'

/** "Log in with your emoji id" at other applications. */
export function createOauthWing(parts: Parts & Operations & Identity & Directory) {
  const { config, sealer, authUrl } = parts
  const clients = createClients(parts)
  const grants = createGrants({
    ...parts,
    clients,
    issuer: authUrl,
    audience: config.base_url,
    successionKey: sealer.derive('refresh tokens of applications'),
  })
  const authorization = createAuthorization({
    ...parts,
    sessions: parts.atApplications,
    formKey: sealer.derive('forms of the authorization site'),
  })
  return {
    services: { clients, grants, authorization },
    routes: [mount(grantRoutes, { grants }), mount(clientRoutes, { clients })],
    jobs: [purgeJobs(parts, [['oauth.purge', '27 * * * *', purgeGrants]])],
    seeds: [applicationSeed({ ...parts, clients }, config.web_url)],
  }
}
