import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { sharedReachableService } from '../support/shared-service.ts'

const service = await sharedReachableService()
const { client_id, client_secret, redirect_uri, person, id, authUrl, apiUrl, idsSeenWith } =
  await startApplicationFlow(service)

const discover = (secret: string) =>
  client.discovery(new URL(authUrl), client_id, secret, undefined, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
const config = await discover(client_secret)

/** A sign-in up to the callback, with the state that the application stores. */
async function begin() {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'svc',
    state: expectedState,
    code_challenge_method: 'S256',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  })
  const callback = await openBrowser().logIn(address, person, id)
  return { callback, checks: { pkceCodeVerifier, expectedState } }
}

it('openid-client signs a user in, refreshes and revokes', async () => {
  const { callback, checks } = await begin()
  const tokens = await client.authorizationCodeGrant(config, callback, checks)
  expect(tokens).toMatchObject({ token_type: 'bearer', type: 'SvcAccessToken', scope: 'svc' })
  expect(tokens.expiresIn()).toBeGreaterThan(800)
  const own = new URL(`${apiUrl}/emoji_id`)
  const answer = await client.fetchProtectedResource(config, tokens.access_token, own, 'GET')
  expect(await answer.json()).toEqual([id])

  const renewed = await client.refreshTokenGrant(config, String(tokens.refresh_token))
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  expect(await idsSeenWith(renewed.access_token)).toEqual([id])

  await client.tokenRevocation(config, String(renewed.refresh_token))
  expect(await idsSeenWith(renewed.access_token)).toBe(401)
  const refusal = client.refreshTokenGrant(config, String(renewed.refresh_token))
  await expect(refusal).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
})

it('openid-client reports a reused code (T73)', async () => {
  const { callback, checks } = await begin()
  const { access_token } = await client.authorizationCodeGrant(config, callback, checks)
  service.clock.advance(2_000)
  const replayed = client.authorizationCodeGrant(config, callback, checks)
  await expect(replayed).rejects.toThrow(client.ResponseBodyError)
  await expect(replayed).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  expect(await idsSeenWith(access_token)).toBe(401)
})

it('openid-client reports a wrong secret (T77)', async () => {
  const { callback, checks } = await begin()
  const wrong = await discover('sec_wrong')
  const refusal = client.authorizationCodeGrant(wrong, callback, checks)
  await expect(refusal).rejects.toThrow(client.WWWAuthenticateChallengeError)
  const tokens = await client.authorizationCodeGrant(config, callback, checks)
  expect(await idsSeenWith(tokens.access_token)).toEqual([id])
})

it.each([
  ['state', 'another'],
  ['iss', 'https://evil.example'],
])('openid-client rejects a callback with another %s', async (name, value) => {
  const { callback, checks } = await begin()
  callback.searchParams.set(name, value)
  const refusal = client.authorizationCodeGrant(config, callback, checks)
  await expect(refusal).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' })
})

it('openid-client reports why a user came back without a code', async () => {
  const state = client.randomState()
  const address = client.buildAuthorizationUrl(config, { redirect_uri, scope: 'svc', state })
  const { location } = await openBrowser().visit(`${address}`.replace('/authorize', '$&/cancel'))
  const refusal = client.authorizationCodeGrant(config, new URL(location), { expectedState: state })
  await expect(refusal).rejects.toThrow(client.AuthorizationResponseError)
  await expect(refusal).rejects.toMatchObject({ error: 'access_denied' })
})
