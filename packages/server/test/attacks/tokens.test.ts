import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingKey } from '../support/own-keys.ts'
import {
  bearer,
  callsWith,
  claimsOf,
  goodPassword,
  logIn,
  newcomer,
  newEmail,
  type Person,
  registerAs,
  type Tokens,
} from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

describe('without a credential (T37)', () => {
  const challenge = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await service.get(path, { headers })
    return [answer.status, answer.headers.get('www-authenticate')]
  }

  it.each(['/api/account', '/api/account/sessions', '/api/users', '/api/admin/audit'])(
    '%s asks for one with 401, not as an invalid token',
    async (path) => expect(await challenge(path)).toEqual([401, 'Bearer']),
  )

  it('a valid token counts only in its header', async () => {
    const { access_token } = (await newcomer(service)).tokens
    const inQuery = await challenge(`/api/account?access_token=${access_token}`)
    const inForm = await service.call('PATCH', '/api/account', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: `access_token=${access_token}`,
    })
    const inBody = await service.patch('/api/account', { access_token })

    expect(inQuery).toEqual([401, 'Bearer'])
    expect([inForm.status, inBody.status]).toEqual([401, 401])
    expect((await service.get('/api/account', bearer(access_token))).status).toBe(200)
  })
})

describe('signing keys (T38)', () => {
  const [old, fresh] = [signingKey.toString('base64'), randomBytes(32).toString('base64')]
  let during: TestService
  let after: TestService
  const begin = async (SIGNING_KEYS: string) => {
    const databaseUrl = String(service.database?.url)
    const started = await testService({ env: { SIGNING_KEYS }, databaseUrl })
    started.clock.advance(service.clock.now().getTime() - started.clock.now().getTime())
    return started
  }
  beforeAll(async () => {
    during = await begin(`${fresh},${old}`)
    after = await begin(fresh)
  })
  afterAll(async () => {
    for (const one of [after, during]) await one.close()
  })
  const kidOf = ({ access_token }: Tokens): string =>
    JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString()).kid
  const status = async (at: TestService, tokens: Tokens) =>
    (await callsWith(at, tokens).get('/api/account')).status
  const keysAt = async (at: TestService) => {
    const { keys } = (await at.get('/api/auth/jwks')).json<{ keys: Record<string, string>[] }>()
    expect((await at.get('/auth/jwks')).json()).toEqual({ keys })
    return keys
  }

  it('rotate without interruption: the old one is accepted until its removal', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const later = (await logIn(during, person)).tokens

    expect(kidOf(later)).not.toBe(kidOf(person.tokens))
    expect([await status(during, person.tokens), await status(during, later)]).toEqual([200, 200])
    expect([await status(after, person.tokens), await status(after, later)]).toEqual([401, 200])

    const { refresh_token } = person.tokens
    const renewalAnswer = await after.post('/api/auth/token/refresh', { refresh_token })
    expect(renewalAnswer.status).toBe(200)
    expect(kidOf(renewalAnswer.json<Tokens>())).toBe(kidOf(later))
    expect(await status(after, renewalAnswer.json<Tokens>())).toBe(200)
  })

  it('signing keys (T38) are published, the current and the previous one, without their private half', async () => {
    const [first, second, third] = [
      await keysAt(service),
      await keysAt(during),
      await keysAt(after),
    ]
    const kids = (keys: Record<string, string>[]) => keys.map(({ kid }) => kid)

    expect(kids(second)).toEqual([...kids(third), ...kids(first)])
    for (const key of second) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    }
  })
})

describe('the expiry of an access token (T40)', () => {
  it('the expiry of an access token (T40) is 900 s, plus 5 s for clock skew', async () => {
    stopTheClock()
    const { access_token } = (await newcomer(service)).tokens
    const { exp, iat } = claimsOf(access_token)
    const statusAt = async (seconds: number) => {
      service.clock.advance((Number(exp) + seconds) * 1_000 - service.clock.now().getTime())
      return (await service.get('/api/account', bearer(access_token))).status
    }

    expect(Number(exp) - Number(iat)).toBe(900)
    expect(await statusAt(-6)).toBe(200)
    expect(await statusAt(2)).toBe(200)
    expect(await statusAt(6)).toBe(401)
  })
})

describe('personal responses (T116)', () => {
  type Ask = (person: Person) => ReturnType<TestService['get']>
  const asks: Record<string, Ask> = {
    registration: () => service.post('/api/users', { email: newEmail() }),
    login: ({ email }) => service.post('/api/auth/token', { email, password: goodPassword }),
    refresh: ({ tokens: { refresh_token } }) =>
      service.post('/api/auth/token/refresh', { refresh_token }),
    'a refused login': ({ email }) => service.post('/api/auth/token', { email, password: 'wrong' }),
    'a refused exchange': () => service.post('/api/auth/exchange', { code: 'none' }),
    'the account': ({ get }) => get('/api/account'),
    'the loaded account': ({ get }) => get('/api/account/load'),
    'the sessions': ({ get }) => get('/api/account/sessions'),
    'a list of users': ({ get }) => get('/api/users'),
    'the audit': ({ get }) => get('/api/admin/audit'),
    'a change': ({ patch }) => patch('/api/account', { first_name: 'Ada' }),
    'a malformed change': ({ patch }) => patch('/api/account', { first_name: 1 }),
    'something unknown': ({ delete: remove }) =>
      remove(`/api/account/sessions/${crypto.randomUUID()}`),
    'a missing credential': () => service.get('/api/account'),
    'a bad credential': () => service.get('/api/account', bearer('a.b.c')),
    'a missing scope': async () =>
      (await newcomer(service, { password: goodPassword })).get('/api/users'),
    'logging out': ({ post }) => post('/api/logout'),
  }
  it.each(Object.entries(asks))(
    'personal responses (T116) are not cached and have a content type: %s',
    async (_, ask) => {
      const { headers } = await ask(await registerAs(service, 'Admin'))

      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    },
  )
})
