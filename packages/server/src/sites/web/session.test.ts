import { describe, expect, it } from 'vitest'
import { callsWith, claimsOf, goodPassword, logIn, newcomer } from '../../../test/support/people.ts'
import { enableApp, sendCode } from '../../../test/support/second-factor.ts'
import { sharedService } from '../../../test/support/shared-service.ts'

const service = await sharedService()

const own = { 'sec-fetch-site': 'same-origin' }
type SessionAnswer = { access_token: string; requires_2fa: string | null }

const call = (path: string, body: object | undefined, headers: Record<string, string> = own) =>
  service.post(path, body, { headers })
/** The cookies that a browser returns. */
const cookieOf = (answer: { headers: Headers }): string =>
  answer.headers.get('set-cookie')?.split(';')[0] ?? ''
async function start(refresh_token: string) {
  const answer = await call('/session', { refresh_token })
  return { answer, headers: { ...own, cookie: cookieOf(answer) } }
}

const refreshed = async (refresh_token: string) =>
  (await service.post('/api/auth/token/refresh', { refresh_token })).status

it('a site session continues from a refresh token, which stays valid (T41)', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { refresh_token } = person.tokens
  const { answer } = await start(refresh_token)
  const { access_token } = answer.json<SessionAnswer>()

  expect(answer.status).toBe(200)
  expect(claimsOf(access_token)['sub']).toBe(person.id)
  expect((await callsWith(service, { access_token }).get('/api/account')).status).toBe(200)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-svc_web=ws_[\w-]{43}; Max-Age=2678400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(await refreshed(refresh_token)).toBe(200)
})

it('a site session allows as many members as the API', async () => {
  const body = { refresh_token: 'x', more: Array(2_000).fill({}) }
  for (const path of ['/session', '/session/code', '/session/owing', '/partner/p/visit']) {
    const answer = await call(path, body)
    expect([answer.status, answer.json()['code']]).toEqual([413, 'too_large_body'])
  }
})

it('a site session revokes the session of the token that it takes over, and no other', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const other = await logIn(service, person)
  const { refresh_token } = person.tokens
  const answer = await call('/session', { refresh_token, take_over: true })
  const headers = { ...own, cookie: cookieOf(answer) }
  expect(answer.status).toBe(200)
  expect(await refreshed(refresh_token)).toBe(401)
  expect((await person.get('/api/account')).status).toBe(401)
  expect(await refreshed(other.tokens.refresh_token)).toBe(200)
  const { access_token } = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
  expect((await callsWith(service, { access_token }).get('/api/account')).status).toBe(200)
})

it('a site session rejects a token rotated long ago and revokes its session (T31)', async () => {
  const { refresh_token } = (await newcomer(service, { password: goodPassword })).tokens
  const next = await service.post('/api/auth/token/refresh', { refresh_token })
  service.clock.advance(61_000)
  expect((await call('/session', { refresh_token })).status).toBe(401)
  expect(await refreshed(next.json<{ refresh_token: string }>().refresh_token)).toBe(401)
})

it('a site session issues access tokens to its pages until sign-out', async () => {
  const { tokens } = await newcomer(service, { password: goodPassword })
  const { headers } = await start(tokens.refresh_token)
  const { access_token } = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
  expect((await callsWith(service, { access_token }).get('/api/account')).status).toBe(200)

  const endAnswer = await service.call('DELETE', '/session', { headers })
  expect(endAnswer.headers.get('set-cookie')).toMatch(/^__Host-svc_web=;/)
  const after = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
  expect(after.access_token).toBeNull()
  expect((await callsWith(service, { access_token }).get('/api/account')).status).toBe(401)
})

it('a site session counts as used when its pages request tokens', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { headers } = await start(person.tokens.refresh_token)
  type SessionList = { kind: string; created_at: string; last_used_at: string }[]
  const countUsed = async () => {
    const open = (await person.get('/api/account/sessions')).json<SessionList>()
    const web = open.find(({ kind }) => kind === 'web')
    return Date.parse(web?.last_used_at ?? '') - Date.parse(web?.created_at ?? '')
  }
  expect(await countUsed()).toBe(0)
  service.clock.advance(5 * 60_000)
  await call('/session/token', undefined, headers)
  expect(await countUsed()).toBeGreaterThanOrEqual(5 * 60_000)
})

it('a site session ends with all other sessions when the user signs out everywhere', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { headers } = await start(person.tokens.refresh_token)
  await person.post('/api/logout')
  const after = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
  expect(after.access_token).toBeNull()
})

it('a site session ends with the session that it continues', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { headers } = await start(person.tokens.refresh_token)
  type SessionList = { id: string; kind: string }[]
  const open = (await person.get('/api/account/sessions')).json<SessionList>()
  const device = open.find(({ kind }) => kind === 'device')
  await person.delete(`/api/account/sessions/${device?.id}`)
  const after = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
  expect(after.access_token).toBeNull()
})

it('a site session does not start after a concurrent sign-out (T34)', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { refresh_token } = person.tokens
  const starting = Array.from({ length: 4 }, () => start(refresh_token))
  await Promise.all([person.post('/api/logout'), ...starting])
  for (const one of starting) {
    const { headers } = await one
    const response = (await call('/session/token', undefined, headers)).json<SessionAnswer>()
    expect(response.access_token).toBeNull()
  }
})

it('a site session rejects an invalid token, and one that still needs a code', async () => {
  const person = await newcomer(service, { password: goodPassword })
  for (const token of ['', 'rt_x', person.tokens.access_token, {}, null]) {
    expect((await call('/session', { refresh_token: token })).status).toBe(401)
  }
  await enableApp(service, person)
  const { tokens } = await logIn(service, person)
  expect(tokens.requires_2fa).toBe('AuthenticatorApp')
  for (const take_over of [false, true]) {
    const body = { refresh_token: tokens.refresh_token, take_over }
    expect((await call('/session', body)).status).toBe(401)
  }
})

describe('a sign-in that needs a code', () => {
  type OwingAnswer = { owing: { provider: string; access_token: string } | null }
  async function owe() {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const { tokens } = await logIn(service, person)
    const { refresh_token } = tokens
    const answer = await call('/session/owing', { refresh_token })
    return { person, app, refresh_token, answer, headers: { ...own, cookie: cookieOf(answer) } }
  }
  const readWaiting = async (headers: Record<string, string>) =>
    (await call('/session/token', undefined, headers)).json<SessionAnswer & OwingAnswer>()

  it('waits in a session cookie without a refresh token', async () => {
    const { answer, refresh_token, headers } = await owe()
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-svc_owing=ws_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(await refreshed(refresh_token)).toBe(401)
    const response = await readWaiting(headers)
    expect(response).toMatchObject({ access_token: null, owing: { provider: 'AuthenticatorApp' } })
    const pending = callsWith(service, { access_token: response.owing?.access_token ?? '' })
    expect((await pending.get('/api/account')).status).toBe(403)
  })

  it('becomes the browser session with the code only', async () => {
    const { app, headers, person } = await owe()
    const wrong = await call('/session/owing/code', { code: app.wrong() }, headers)
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([422, null])
    const response = await call('/session/owing/code', { code: app.next() }, headers)
    expect(response.status).toBe(200)
    const [session, owingCookie] = response.headers.getSetCookie()
    expect(owingCookie).toMatch(/^__Host-svc_owing=;/)
    const { access_token } = await readWaiting({ ...own, cookie: session?.split(';')[0] ?? '' })
    expect(claimsOf(access_token)['sub']).toBe(person.id)
    expect((await callsWith(service, { access_token }).get('/api/account')).status).toBe(200)
  })

  it('rejects a copy of the cookie taken before the code was entered', async () => {
    const { app, headers } = await owe()
    const { owing } = await readWaiting(headers)
    await call('/session/owing/code', { code: app.next() }, headers)
    const cookie = headers.cookie.replace('svc_owing', 'svc_web')
    expect((await readWaiting({ ...own, cookie })).access_token).toBeNull()
    const seenPerson = callsWith(service, { access_token: owing?.access_token ?? '' })
    expect((await seenPerson.get('/api/account')).status).toBe(401)
  })

  it('a sign-in that needs a code is not signed in, not even while the code is checked', async () => {
    const { app, headers } = await owe()
    const { owing } = await readWaiting(headers)
    const seenPerson = callsWith(service, { access_token: owing?.access_token ?? '' })
    const answers: number[] = []
    let isOver = false
    const tries = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const response = await seenPerson.post('/api/api_keys', { name: 'stolen', scopes: [] })
        answers.push(response.status)
      }
    })
    const answer = await call('/session/owing/code', { code: app.next() }, headers)
    isOver = true
    await Promise.all(tries)
    expect(answer.status).toBe(200)
    expect([...new Set(answers)].filter((status) => ![401, 403].includes(status))).toEqual([])
    expect(answers.length).toBeGreaterThan(6)
  })

  it('expires after 15 minutes under every cookie name', async () => {
    const { app, headers } = await owe()
    service.clock.advance(15 * 60_000 + 1_000)
    expect((await readWaiting(headers)).owing).toBeNull()
    const cookie = headers.cookie.replace('svc_owing', 'svc_web')
    expect((await readWaiting({ ...own, cookie })).access_token).toBeNull()
    const late = await call('/session/owing/code', { code: app.next() }, headers)
    expect([late.status, late.json<{ code: string }>().code]).toEqual([401, 'expired_login'])
  })

  it('a sign-in that needs a code ends when the person starts over or signs in to another account', async () => {
    const over = await owe()
    await service.call('DELETE', '/session/owing', { headers: over.headers })
    expect((await readWaiting(over.headers)).owing).toBeNull()

    const debtor = await owe()
    const { refresh_token } = (await newcomer(service, { password: goodPassword })).tokens
    await call('/session', { refresh_token, take_over: true }, debtor.headers)
    expect((await readWaiting(debtor.headers)).owing).toBeNull()
  })

  it('rejects an account that needs no code, even if it entered one before', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { refresh_token } = person.tokens
    expect((await call('/session/owing', { refresh_token })).status).toBe(401)
    expect((await call('/session/owing/code', { code: '123456' })).status).toBe(401)
    // A device that entered its code and needs another, since a second factor was added elsewhere.
    const { app } = await enableApp(service, person)
    const other = await logIn(service, person)
    await sendCode(service, other.tokens, app.next())
    await person.post('/api/account/2fa/disable', { code: app.next() })
    await enableApp(service, person)
    const answer = await call('/session/owing', { refresh_token: other.tokens.refresh_token })
    const cookie = cookieOf(answer).replace('svc_owing', 'svc_web')
    const { requires_2fa } = await readWaiting({ ...own, cookie })
    expect([answer.status, requires_2fa]).toEqual([200, 'AuthenticatorApp'])
  })
})

it('a site session accepts our own pages only', async () => {
  const { tokens } = await newcomer(service, { password: goodPassword })
  const body = { refresh_token: tokens.refresh_token }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    const answer = await call('/session', body, headers as Record<string, string>)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
  }
})
