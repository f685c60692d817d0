import type { FastifyInstance } from 'fastify'

export const place = '/.well-known/oauth-authorization-server'

type Options = { authUrl: string; apiUrl: string }

/** Authorization server metadata (RFC 8414). */
const metadataOf = ({ authUrl, apiUrl }: Options) => ({
  issuer: authUrl,
  authorization_endpoint: `${authUrl}/authorize`,
  token_endpoint: `${authUrl}/token`,
  revocation_endpoint: `${authUrl}/revoke`,
  jwks_uri: `${authUrl}/jwks`,
  service_documentation: `${apiUrl}/docs/`,
  scopes_supported: ['svc'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  authorization_response_iss_parameter_supported: true,
})

/** Below the authorization site, or at the well-known path of an issuer with a path. */
export function serveMetadata(app: FastifyInstance, options: Options, path: string): void {
  const metadata = metadataOf(options)
  app.get(path, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(metadata),
  )
}

/** Clients look up an issuer with a path at the root of its origin too. */
export const placeAtRoot = (authUrl: string): string =>
  `${place}${new URL(authUrl).pathname.replace(/\/$/, '')}`
