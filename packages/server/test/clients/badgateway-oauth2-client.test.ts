import { generateCodeVerifier, OAuth2Client, OAuth2HttpError } from '@badgateway/oauth2-client'
import { expect, it } from 'vitest'
import { openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { sharedReachableService } from '../support/shared-service.ts'

const service = await sharedReachableService()
const { client_id, client_secret, redirect_uri, person, id, authUrl, idsSeenWith } =
  await startApplicationFlow(service)

const clientWith = (clientSecret: string) =>
  new OAuth2Client({
    server: authUrl,
    clientId: client_id,
    clientSecret,
    // Otherwise it uses the root of the host, where an issuer with a path has no metadata.
    discoveryEndpoint: `${authUrl}/.well-known/oauth-authorization-server`,
  })
const client = clientWith(client_secret)

async function begin() {
  const remembered = { redirectUri: redirect_uri, codeVerifier: await generateCodeVerifier() }
  const authorizeOptions = { ...remembered, state: 'a state of ours' }
  const address = await client.authorizationCode.getAuthorizeUri({
    ...authorizeOptions,
    scope: ['svc'],
  })
  expect(address).toContain('code_challenge_method=S256')
  const callback = await openBrowser().logIn(address, person, id)
  const { code } = client.authorizationCode.validateResponse(callback, {
    state: authorizeOptions.state,
  })
  return { ...remembered, code }
}

it('@badgateway/oauth2-client signs a user in, refreshes and revokes', async () => {
  const token = await client.authorizationCode.getToken(await begin())
  expect(await idsSeenWith(token.accessToken)).toEqual([id])

  const renewed = await client.refreshToken(token)
  expect(renewed.refreshToken).not.toBe(token.refreshToken)
  expect(await idsSeenWith(renewed.accessToken)).toEqual([id])
  await client.revoke(renewed)
  expect(await idsSeenWith(renewed.accessToken)).toBe(401)
})

it('@badgateway/oauth2-client reports a reused code (T73)', async () => {
  const begunLogin = await begin()
  const { accessToken } = await client.authorizationCode.getToken(begunLogin)
  service.clock.advance(2_000)
  const replayed = client.authorizationCode.getToken(begunLogin)
  await expect(replayed).rejects.toThrow(OAuth2HttpError)
  await expect(replayed).rejects.toMatchObject({ oauth2Code: 'invalid_grant', httpCode: 400 })
  expect(await idsSeenWith(accessToken)).toBe(401)
})

it('@badgateway/oauth2-client reports a wrong secret (T77)', async () => {
  const begunLogin = await begin()
  const refusal = clientWith('sec_wrong').authorizationCode.getToken(begunLogin)
  await expect(refusal).rejects.toThrow(OAuth2HttpError)
  await expect(refusal).rejects.toMatchObject({ oauth2Code: 'invalid_client', httpCode: 401 })
  const { accessToken } = await client.authorizationCode.getToken(begunLogin)
  expect(await idsSeenWith(accessToken)).toEqual([id])
})

it('@badgateway/oauth2-client gets no tokens without the verifier (T76)', async () => {
  const { codeVerifier: _, ...begun } = await begin()
  const refusal = client.authorizationCode.getToken(begun)
  await expect(refusal).rejects.toMatchObject({ oauth2Code: 'invalid_grant', httpCode: 400 })
})
