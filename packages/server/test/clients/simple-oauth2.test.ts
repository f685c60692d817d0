import { AuthorizationCode } from 'simple-oauth2'
import { describe, expect, it } from 'vitest'
import { openBrowser, startApplicationFlow } from '../support/oauth.ts'
import { sharedReachableService } from '../support/shared-service.ts'

const service = await sharedReachableService()
const { client_id, client_secret, redirect_uri, person, id, authUrl, idsSeenWith } =
  await startApplicationFlow(service)

describe.each(['header', 'body'] as const)('simple-oauth2 with its secret in the %s', (place) => {
  const clientWith = (secret: string) =>
    new AuthorizationCode({
      client: { id: client_id, secret },
      auth: {
        tokenHost: new URL(authUrl).origin,
        tokenPath: '/auth/token',
        authorizePath: '/auth/authorize',
        revokePath: '/auth/revoke',
      },
      options: { authorizationMethod: place },
    })
  const client = clientWith(client_secret)
  const begin = async () => {
    const address = client.authorizeURL({ redirect_uri, scope: 'svc', state: 'a state of ours' })
    const callback = await openBrowser().logIn(address, person, id)
    expect(callback.searchParams.get('state')).toBe('a state of ours')
    return { code: String(callback.searchParams.get('code')), redirect_uri }
  }

  it('signs a user in, refreshes and revokes', async () => {
    const first = await client.getToken(await begin())
    expect(first.expired()).toBe(false)
    expect(await idsSeenWith(String(first.token['access_token']))).toEqual([id])

    const renewedToken = await first.refresh()
    const access_token = String(renewedToken.token['access_token'])
    expect(await idsSeenWith(access_token)).toEqual([id])
    await renewedToken.revokeAll()
    expect(await idsSeenWith(access_token)).toBe(401)
  })

  it('reports a reused code (T73)', async () => {
    const authorizationCode = await begin()
    const { token } = await client.getToken(authorizationCode)
    service.clock.advance(2_000)
    await expect(client.getToken(authorizationCode)).rejects.toMatchObject({
      isBoom: true,
      output: { statusCode: 400 },
      data: { payload: { error: 'invalid_grant' } },
    })
    expect(await idsSeenWith(String(token['access_token']))).toBe(401)
  })

  it('reports a wrong secret (T77)', async () => {
    const authorizationCode = await begin()
    await expect(clientWith('sec_wrong').getToken(authorizationCode)).rejects.toMatchObject({
      isBoom: true,
      output: { statusCode: 401 },
      data: { payload: { error: 'invalid_client' } },
    })
    const { token } = await client.getToken(authorizationCode)
    expect(await idsSeenWith(String(token['access_token']))).toEqual([id])
  })
})
