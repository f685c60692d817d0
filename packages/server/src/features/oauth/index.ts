import { applicationSeed } from '../../demo/application.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createAuthorization } from './authorization/index.ts'
import { createOauthClients, oauthClientRoutes } from './clients/index.ts'
import { createOauth, oauthJobs, oauthRoutes } from './grants/index.ts'

/** "Log in with your emoji id" at other applications. */
export function createOauthWing(parts: Parts & Operations & Identity & Directory) {
  const { config, sealer, authUrl } = parts
  const oauthClients = createOauthClients(parts)
  const oauth = createOauth({
    ...parts,
    oauthClients,
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
    services: { oauthClients, oauth, authorization },
    routes: [mount(oauthRoutes, { oauth }), mount(oauthClientRoutes, { oauthClients })],
    jobs: [oauthJobs(oauth)],
    seeds: [applicationSeed({ ...parts, oauthClients }, config.web_url)],
  }
}
