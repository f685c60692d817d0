import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import {
  type Application,
  type ApplicationTokens,
  adminAtAnyTime,
  newApplication,
  signInAtApplication,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { bearer, claimsOf, confirmedUser, type Person } from '../support/people.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedService()
  admin = await adminAtAnyTime(service)
  application = await newApplication(service, admin)
})

const enter = () => signInAtApplication(service, admin, application)
const see = (access_token: string, rest = '') =>
  service.get(`/api/emoji_id${rest}`, bearer(access_token))
const refreshed = async (refresh_token: string) => {
  const answer = await application.refresh(refresh_token)
  expect(answer.status).toBe(200)
  return answer.json<ApplicationTokens>()
}
const expectGrantRefused = (answer: Answer) =>
  expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant'])
const handOn = async (eid: string) => {
  const { email } = await confirmedUser(service)
  const transferResponse = await admin.post('/api/transfers', {
    eid,
    email,
    force_transfer: true,
    reason: 'Support',
  })
  expect(transferResponse.status).toBe(200)
}

describe('the view of an application (T64)', () => {
  it('the view of an application (T64) is the chosen id of two, also after a refresh and for an Admin, and no data of other users', async () => {
    const { person, id, tokens } = await enter()
    await grant(admin, { user_id: person.id })
    expect((await person.get('/api/emoji_id')).json<string[]>()).toHaveLength(2)
    for (const { access_token } of [tokens, await refreshed(tokens.refresh_token)]) {
      expect((await see(access_token)).json()).toEqual([id])
      const extended = (await see(access_token, '/extended')).json<{ emoji_id: string }[]>()
      expect(extended).toHaveLength(1)
      expect(JSON.stringify(extended)).toContain(id)
    }
    const { access_token } = tokens
    const other = await confirmedUser(service)
    await grant(admin, { user_id: other.id })
    const own = await see(access_token, `?user_id=${person.id}`)
    expect([200, 403]).toContain(own.status)
    if (own.status === 200) expect(own.json()).toEqual([id])
    expect((await see(access_token, `?user_id=${other.id}`)).status).toBe(403)
    const role = { role: 'Admin' as const }
    await service.db.updateTable('users').set(role).where('id', '=', person.id).execute()
    for (const query of [`?user_id=${other.id}`, `?user_id=${admin.id}`])
      expect((await see(access_token, query)).status).toBe(403)
    expect((await see(access_token)).json()).toEqual([id])
    expect((await service.get('/api/users', bearer(access_token))).status).toBe(403)
  })

  it('ends while the id is suspended, for old and new tokens, comes back with it, and ends with its ownership', async () => {
    const { id, tokens } = await enter()
    const act = async (action: string) => {
      const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}/${action}`
      expect((await admin.post(path, { reason: 'Phishing' })).status).toBe(200)
    }
    await act('suspend')
    expect((await see(tokens.access_token)).status).toBe(401)
    expectGrantRefused(await application.refresh(tokens.refresh_token))
    await act('restore')
    expect((await see(tokens.access_token)).json()).toEqual([id])
    const { access_token, refresh_token } = await refreshed(tokens.refresh_token)
    expect((await see(access_token)).json()).toEqual([id])
    await handOn(id)
    expect((await see(access_token)).status).toBe(401)
    expect((await see(access_token, '/extended')).status).toBe(401)
    expectGrantRefused(await application.refresh(refresh_token))
  })
})

describe('the expiry of an application’s access token (T40)', () => {
  it('the expiry of an application’s access token (T40) is 900 s, plus 5 s for clock skew', async () => {
    stopTheClock()
    const { tokens } = await enter()
    const { exp, iat } = claimsOf(tokens.access_token)
    const statusAt = async (seconds: number) => {
      service.clock.advance((Number(exp) + seconds) * 1_000 - service.clock.now().getTime())
      return (await see(tokens.access_token)).status
    }
    expect(Number(exp) - Number(iat)).toBe(900)
    expect([await statusAt(-6), await statusAt(2), await statusAt(6)]).toEqual([200, 200, 401])
    expect((await see((await refreshed(tokens.refresh_token)).access_token)).status).toBe(200)
  })
})

describe('the refresh token of an application', () => {
  it('the refresh token of an application is rotated; a repeat within 60 s returns the same successor, and a later one revokes the grant', async () => {
    stopTheClock()
    const { tokens, person } = await enter()
    const first = await refreshed(tokens.refresh_token)
    expect(first.refresh_token).not.toBe(tokens.refresh_token)
    service.clock.advance(58_000)
    const secondTokens = await refreshed(tokens.refresh_token)
    expect(secondTokens.refresh_token).toBe(first.refresh_token)
    expect((await see(secondTokens.access_token)).status).toBe(200)
    service.clock.advance(3_000)
    expectGrantRefused(await application.refresh(tokens.refresh_token))
    expectGrantRefused(await application.refresh(first.refresh_token))
    for (const { access_token } of [tokens, first, secondTokens]) {
      expect((await see(access_token)).status).toBe(401)
    }
    expect((await person.get('/api/account/applications')).json()).toEqual([])
  })

  it('revokes the grant when it is reused after its successor was used, also within 60 s', async () => {
    const { tokens } = await enter()
    const first = await refreshed(tokens.refresh_token)
    const secondTokens = await refreshed(first.refresh_token)
    expectGrantRefused(await application.refresh(tokens.refresh_token))
    expectGrantRefused(await application.refresh(secondTokens.refresh_token))
    expect((await see(secondTokens.access_token)).status).toBe(401)
  })

  it('the refresh token of an application is rejected for another application (T120) or scope without revoking anything', async () => {
    const { tokens } = await enter()
    const other = await newApplication(service, admin)
    expectGrantRefused(await other.refresh(tokens.refresh_token))
    const wider = await application.refresh(tokens.refresh_token, { scope: 'svc admin' })
    expect([wider.status, wider.json()['error']]).toEqual([400, 'invalid_scope'])
    const answer = await application.refresh(tokens.refresh_token, { scope: 'svc' })
    const next = answer.json<ApplicationTokens>()
    service.clock.advance(61_000)
    expectGrantRefused(await other.refresh(tokens.refresh_token))
    expect((await application.refresh(next.refresh_token)).status).toBe(200)
  })

  it('expires after 31 days unused, and after 180 days in any case', async () => {
    const [idle, usedSession] = [await enter(), await enter()]
    service.clock.advance(30 * dayMs)
    let newest = (await refreshed(usedSession.tokens.refresh_token)).refresh_token
    service.clock.advance(dayMs + 1_000)
    expectGrantRefused(await application.refresh(idle.tokens.refresh_token))
    for (let elapsed = 31; elapsed < 151; elapsed += 30) {
      newest = (await refreshed(newest)).refresh_token
      service.clock.advance(30 * dayMs)
    }
    newest = (await refreshed(newest)).refresh_token
    service.clock.advance(29 * dayMs)
    expectGrantRefused(await application.refresh(newest))
  })
})

describe('revocation (RFC 7009)', () => {
  it.each(['refresh_token', 'access_token'] as const)(
    'revocation (RFC 7009) by %s revokes both tokens',
    async (kind) => {
      const { tokens } = await enter()
      const answer = await application.revoke(tokens[kind])
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect((await see(tokens.access_token)).status).toBe(401)
      expectGrantRefused(await application.refresh(tokens.refresh_token))
      expect((await application.revoke(tokens[kind])).status).toBe(200)
    },
  )

  it('ignores foreign tokens silently', async () => {
    const { tokens, person, browser, code } = await enter()
    const other = await newApplication(service, admin)
    const strange = [
      tokens.refresh_token,
      tokens.access_token,
      person.tokens.refresh_token,
      code,
      person.tokens.access_token,
      browser.handle() ?? '',
      'none',
      '🦀',
      'x'.repeat(5_000),
    ]
    for (const token of strange) expect((await other.revoke(token)).status).toBe(200)
    for (const token of strange.slice(2)) {
      expect((await application.revoke(token)).status).toBe(200)
    }
    expect((await see(tokens.access_token)).status).toBe(200)
    expect((await application.refresh(tokens.refresh_token)).status).toBe(200)
    expect((await person.get('/api/account')).status).toBe(200)
    expect((await browser.open(application.at())).body).toContain('Signed in as')
  })

  it('revocation (RFC 7009) is rejected without a token', async () => {
    const answer = await application.revoke('')
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_request'])
  })
})

describe('immediate revocation', () => {
  type SignIn = Awaited<ReturnType<typeof enter>>
  const ends: Record<string, (one: SignIn) => Promise<Answer>> = {
    'by signing out': ({ person }) => person.post('/api/logout'),
    'by a new password': ({ person }) =>
      person.patch('/api/account', {
        current_password: person.password,
        password: 'quite another password',
      }),
    'by a deactivation': ({ person }) =>
      admin.post(`/api/admin/users/${person.id}/deactivate`, { reason: 'Left us' }),
  }
  it.each(Object.entries(ends))('%s voids the cookie and the tokens', async (_, end) => {
    const entered = await enter()
    const { tokens, browser } = entered
    expect((await end(entered)).status).toBe(200)
    expect((await see(tokens.access_token)).status).toBe(401)
    expectGrantRefused(await application.refresh(tokens.refresh_token))
    expect((await browser.open(application.at())).body).toContain('Email me a link')
  })

  it('immediate revocation of the cookie when the user switches accounts; the tokens stay valid', async () => {
    const { tokens, browser } = await enter()
    const handle = browser.handle() ?? ''
    await browser.open(application.at())
    await browser.send(application.at({}, '/authorize/leave'), {})
    expect(browser.handle()).toBeUndefined()
    browser.cookies.set('__Host-svc_auth', handle)
    expect((await browser.open(application.at())).body).toContain('Email me a link')
    expect((await see(tokens.access_token)).status).toBe(200)
  })

  it('immediate revocation of the cookie when its session is ended from another device', async () => {
    const { person, browser } = await enter()
    expect((await person.delete('/api/account/sessions')).status).toBe(200)
    expect((await browser.open(application.at())).body).toContain('Email me a link')
  })
})
