import * as oauth from 'oauth4webapi'
import { expect, it } from 'vitest'
import { openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { sharedReachableService } from '../support/shared-service.ts'

const service = await sharedReachableService()
const { client_id, client_secret, redirect_uri, person, id, authUrl, apiUrl, idsSeenWith } =
  await startApplicationFlow(service)

const insecure = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(authUrl)
const as = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
)
const client = { client_id }
const bySecret = oauth.ClientSecretBasic(client_secret)

/** A sign-in up to the callback with a valid state and issuer. */
async function begin() {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
  const address = new URL(String(as.authorization_endpoint))
  address.search = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'svc',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const callback = await openBrowser().logIn(address, person, id)
  return { callback: oauth.validateAuthResponse(as, client, callback, state), verifier }
}
type Authorization = Awaited<ReturnType<typeof begin>>

async function exchange({ callback, verifier }: Authorization, auth = bySecret) {
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    callback,
    redirect_uri,
    verifier,
    insecure,
  )
  return oauth.processAuthorizationCodeResponse(as, client, answer)
}

/** Validates an incoming token as a third-party API would. */
const validate = (token: string, audience = apiUrl) => {
  const headers = { authorization: `Bearer ${token}` }
  const request = new Request(`${apiUrl}/emoji_id`, { headers })
  return oauth.validateJwtAccessToken(as, request, audience, insecure)
}

it('oauth4webapi signs a user in, refreshes and revokes', async () => {
  const tokens = await exchange(await begin())
  expect(await idsSeenWith(tokens.access_token)).toEqual([id])

  const first = String(tokens.refresh_token)
  const answer = await oauth.refreshTokenGrantRequest(as, client, bySecret, first, insecure)
  const renewedResponse = await oauth.processRefreshTokenResponse(as, client, answer)
  expect(renewedResponse.refresh_token).not.toBe(tokens.refresh_token)
  expect(await idsSeenWith(renewedResponse.access_token)).toEqual([id])

  const { access_token } = renewedResponse
  const revokedAnswer = await oauth.revocationRequest(as, client, bySecret, access_token, insecure)
  await oauth.processRevocationResponse(revokedAnswer)
  expect(await idsSeenWith(access_token)).toBe(401)
})

it('oauth4webapi validates our access token for an application (RFC 9068)', async () => {
  const { access_token } = await exchange(await begin())
  const claims = await validate(access_token)
  expect(claims).toMatchObject({ client_id, svc: id, scope: 'svc' })
  // The account, under an identifier specific to this application.
  expect(claims.sub).not.toBe(person.id)
  expect((await validate((await exchange(await begin())).access_token)).sub).toBe(claims.sub)
  const foreignClaims = validate(access_token, 'https://api.example')
  await expect(foreignClaims).rejects.toThrow(oauth.OperationProcessingError)
})

it('oauth4webapi rejects a code and a user’s own token as access tokens (T33)', async () => {
  const { callback } = await begin()
  await expect(validate(String(callback.get('code')))).rejects.toThrow('"typ"')
  await expect(validate(person.tokens.access_token)).rejects.toThrow('"client_id"')
})

it('oauth4webapi reports a reused code (T73)', async () => {
  const begunLogin = await begin()
  const { access_token } = await exchange(begunLogin)
  service.clock.advance(2_000)
  const replayedResponse = exchange(begunLogin)
  await expect(replayedResponse).rejects.toThrow(oauth.ResponseBodyError)
  await expect(replayedResponse).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  expect(await idsSeenWith(access_token)).toBe(401)
})

it.each([
  ['in the header', oauth.ClientSecretBasic('sec_wrong')],
  ['in the body', oauth.ClientSecretPost('sec_wrong')],
])('oauth4webapi reports a wrong secret %s (T77)', async (_place, wrong) => {
  const begunLogin = await begin()
  const refusedResponse = exchange(begunLogin, wrong)
  await expect(refusedResponse).rejects.toThrow(oauth.WWWAuthenticateChallengeError)
  await expect(refusedResponse).rejects.toMatchObject({ status: 401, cause: [{ scheme: 'basic' }] })
  expect(await idsSeenWith((await exchange(begunLogin)).access_token)).toEqual([id])
})
