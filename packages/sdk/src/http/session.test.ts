import { describe, expect, it } from 'vitest'
import { accessToken, fakeService, json, thrownBy } from '../../test/support.ts'
import { createClient } from '../client.ts'
import { RefusedError } from '../errors.ts'
import { createSession, memoryTokens, type Tokens } from './session.ts'

/** Counts refreshes; its own tokens are valid. */
function tokenService({ refuse = false } = {}) {
  const good = new Set<string>()
  let count = 0
  const service = fakeService(async ({ url, headers }) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (url.endsWith('/auth/token/refresh')) {
      if (refuse)
        return json({ error: 'Sign in again.', code: 'invalid_refresh_token' }, { status: 401 })
      const access_token = accessToken(900, String(++count))
      good.add(access_token)
      return json({ access_token, refresh_token: `rt_${count}`, requires_2fa: null })
    }
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    return good.has(token)
      ? json([])
      : json({ error: 'no', code: 'invalid_token' }, { status: 401 })
  })
  const refreshes = () => service.requests.filter(({ url }) => url.endsWith('/refresh')).length
  return { ...service, good, refreshes }
}

const stale = (): Tokens => ({ access_token: accessToken(5), refresh_token: 'rt_0' })

describe('an access token', () => {
  it.each([
    ['that has expired', stale()],
    ['that the service rejects', { ...stale(), access_token: accessToken(900) }],
  ])('%s is refreshed once for all requests', async (_what, tokens) => {
    const { api, fetch, refreshes } = tokenService()
    const store = memoryTokens(tokens)
    const client = createClient({ api, fetch, tokens: store })
    await Promise.all(Array.from({ length: 20 }, () => client.api.keys.listPubkeys()))
    expect(refreshes()).toBe(1)
    expect(await store.load()).toMatchObject({ refresh_token: 'rt_1' })
    await client.api.keys.listPubkeys()
    expect(refreshes()).toBe(1)
  })

  it('an access token is not refreshed repeatedly with a wrong clock', async () => {
    let refreshes = 0
    const refresh = async () => ({
      access_token: accessToken(900, String(++refreshes)),
      refresh_token: 'rt',
    })
    const store = memoryTokens(stale())
    const anHourAhead = () => Date.now() + 3_600_000
    const session = createSession({ store, refresh, now: anHourAhead })
    const first = await session.accessToken()
    expect([await session.accessToken(), await session.accessToken()]).toEqual([first, first])
    expect(refreshes).toBe(1)
  })

  it('an access token of another tab is used instead of a refresh', async () => {
    const { api, fetch, refreshes, good } = tokenService()
    const store = memoryTokens(stale())
    const other = accessToken(900, 'other')
    good.add(other)
    let loads = 0
    const sharedStore = {
      load: () => (++loads === 1 ? stale() : { access_token: other, refresh_token: 'rt_9' }),
      save: store.save,
    }
    await createClient({ api, fetch, tokens: sharedStore }).api.keys.listPubkeys()
    expect(refreshes()).toBe(0)
  })

  it('an access token is not sent to public operations', async () => {
    const { api, fetch, requests } = tokenService()
    const client = createClient({ api, fetch, tokens: memoryTokens(stale()), apiKey: 'key' })
    await client.lookup('🔥').catch(() => {})
    expect(
      requests.map(({ headers }) => [headers.get('authorization'), headers.get('x-api-key')]),
    ).toEqual([[null, null]])
  })
})

describe('a request of one account', () => {
  const tokensOf = (sub: string, seconds = 900): Tokens => ({
    access_token: accessToken(seconds, '', sub),
    refresh_token: `rt_${sub}`,
  })
  /** Anna's tokens have expired; another account signs in meanwhile. */
  function sharedStore(first: Tokens, { when }: { when: 'asked' | 'refreshed' | 'lost' }) {
    const store = memoryTokens(first)
    const bens = tokensOf('ben')
    const logInAsBen = () => store.save(bens)
    const service = fakeService(async ({ url, headers }, place) => {
      if (url.endsWith('/auth/token/refresh')) {
        if (when === 'refreshed') await logInAsBen()
        return json({ ...tokensOf('anna'), requires_2fa: null })
      }
      if (when !== 'refreshed') await logInAsBen()
      if (when === 'lost' && place === 0) throw new TypeError('fetch failed')
      const isBens = headers.get('authorization') === `Bearer ${bens.access_token}`
      return isBens ? json([]) : json({ error: 'no', code: 'invalid_token' }, { status: 401 })
    })
    const { api, fetch } = service
    const sentByBen = () =>
      service.requests.filter(({ headers }) =>
        headers.get('authorization')?.includes(bens.access_token),
      )
    return { client: createClient({ api, fetch, tokens: store }), sentByBen, store, bens }
  }

  it.each([
    ['after a refusal', tokensOf('anna'), 'asked'],
    ['after a refresh', tokensOf('anna', 5), 'refreshed'],
    ['after a lost connection', tokensOf('anna'), 'lost'],
  ] as const)(
    'a request of one account is not sent for another account %s',
    async (_what, first, when) => {
      const { client, sentByBen, store, bens } = sharedStore(first, { when })
      expect(await thrownBy(client.api.keys.listPubkeys())).toMatchObject({ status: 401 })
      expect(sentByBen()).toEqual([])
      expect(await store.load()).toEqual(bens)
    },
  )
})

describe('an expired session', () => {
  it('an expired session is removed, and all waiting requests fail', async () => {
    const { api, fetch, refreshes } = tokenService({ refuse: true })
    const store = memoryTokens(stale())
    const client = createClient({ api, fetch, tokens: store })
    const calls = [1, 2, 3].map(() => thrownBy(client.api.keys.listPubkeys()))
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(RefusedError)
      expect(error).toMatchObject({ status: 401, reason: 'invalid_refresh_token' })
    }
    expect(refreshes()).toBe(1)
    expect(await store.load()).toBeUndefined()
  })

  it('an expired session is not restored by a running refresh', async () => {
    const { api, fetch } = tokenService()
    const store = memoryTokens(stale())
    const client = createClient({ api, fetch, tokens: store })
    const call = thrownBy(client.api.keys.listPubkeys())
    await store.save(undefined)
    expect(await call).toMatchObject({ status: 401 })
    expect(await store.load()).toBeUndefined()
  })
})
