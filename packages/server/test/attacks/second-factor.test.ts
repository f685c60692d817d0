import jsqr from 'jsqr'
import { URI } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  callsWith,
  claimsOf,
  goodPassword,
  logIn,
  newcomer,
  type Tokens,
} from '../support/people.ts'
import {
  authenticator,
  type EnabledApp,
  enableApp,
  enterCode,
  sendCode,
} from '../support/second-factor.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

const quickly = () => newcomer(service)
const minute = 60_000
/** Early in a 30 s step, so that the step does not change between making a code and entering it. */
const beginStep = () =>
  service.clock.advance(30_000 - (service.clock.now().getTime() % 30_000) + 1_000)
const prepare = async (person: Pick<ReturnType<typeof callsWith>, 'post'>, path = '/enable') => {
  const answer = await person.post(`/api/account/2fa${path}`, { provider: 'AuthenticatorApp' })
  expect(answer.status).toBe(200)
  return answer.json<EnabledApp>()
}

describe('wrong codes of a thief who knows the password', () => {
  it('block the thief in every session, but not the owner in another network', async () => {
    stopTheClock()
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const from = { headers: { 'x-forwarded-for': '203.0.113.77' } }
    const give = ({ refresh_token }: Tokens, code: string) =>
      service.post('/api/auth/2fa', { refresh_token, code }, from)
    const sessions = [await logIn(service, person), await logIn(service, person)]
    for (let n = 0; n < 6; n++) {
      const { tokens } = sessions[n % 2] as (typeof sessions)[number]
      expect((await give(tokens, app.wrong())).status).toBe(n < 5 ? 422 : 429)
    }
    const ownPerson = await logIn(service, person)
    beginStep()
    expect((await sendCode(service, ownPerson.tokens, app.next())).status).toBe(200)
  })
})

describe('a login with a second factor (T42)', () => {
  const refusedCalls: [string, string, object?][] = [
    ...['/account', '/account/load', '/account/sessions', '/emoji_id', '/emoji_id/extended'].map(
      (path): [string, string] => ['GET', path],
    ),
    ...['/pubkeys', '/api_keys', '/wallets'].map((path): [string, string] => ['GET', path]),
    ['PATCH', '/account', { first_name: 'Eve' }],
    ['PATCH', `/emoji_id/${encodeURIComponent('🦀🚀🌙')}`, { insert: [] }],
    ['POST', '/account/2fa/disable', { disable_all: true }],
    ['POST', '/account/2fa/enable', { provider: 'AuthenticatorApp' }],
    ['POST', '/account/2fa/confirm', { code: '123456' }],
    ['POST', '/api_keys', { name: 'a key' }],
    ['POST', '/logout'],
    ['DELETE', '/account/sessions'],
  ]

  it('gives a token without access before the code, after any number of refreshes', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const { tokens } = await logIn(service, person)
    const { refresh_token } = tokens
    const refreshAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
    const later = refreshAnswer.json<Tokens>()

    for (const { access_token, requires_2fa } of [tokens, later]) {
      const { exp, iat, scopes } = claimsOf(access_token)
      expect(requires_2fa).toBe('AuthenticatorApp')
      expect(access_token.split('.')).toHaveLength(3)
      expect([Number(exp) - Number(iat), scopes]).toEqual([
        900,
        ['auth:twoFactor', 'token:refresh'],
      ])
      for (const [method, path, body] of refusedCalls) {
        const headers = { authorization: `Bearer ${access_token}` }
        const answer = await service.call(method, `/api${path}`, { headers, body })
        const { code } = answer.json()
        expect([path, answer.status, code]).toEqual([path, 403, 'pending_second_factor'])
      }
    }
    const codeAnswer = await enterCode(service, later, app.next())
    expect(codeAnswer.tokens).toMatchObject({
      requires_2fa: null,
      refresh_token: later.refresh_token,
    })
    expect(claimsOf(codeAnswer.tokens.access_token)['active2fa']).toBe(true)
    expect((await codeAnswer.get('/api/account')).status).toBe(200)
    expect((await codeAnswer.get('/api/account')).json()).toMatchObject({
      user: { first_name: null },
    })
  })
})

describe('an existing session (T50)', () => {
  it('requires the code as soon as a second factor is active, except the session that set it up', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const other = await logIn(service, person)
    await prepare(person)
    expect((await other.get('/api/account')).status).toBe(200)
    const { app } = await enableApp(service, person)
    const refresh = async ({ refresh_token }: Tokens) =>
      (await service.post('/api/auth/token/refresh', { refresh_token })).json<Tokens>()
    const [keptTokens, demotedTokens] = [await refresh(person.tokens), await refresh(other.tokens)]

    expect((await other.get('/api/account')).status).toBe(403)
    expect([keptTokens.requires_2fa, demotedTokens.requires_2fa]).toEqual([
      null,
      'AuthenticatorApp',
    ])
    expect((await callsWith(service, keptTokens).get('/api/account')).status).toBe(200)
    expect((await callsWith(service, demotedTokens).get('/api/account')).status).toBe(403)
    const codeAnswer = await enterCode(service, demotedTokens, app.next())
    expect((await codeAnswer.get('/api/account')).status).toBe(200)
  })
})

describe('a code (T44)', () => {
  it.each([
    { steps: -2, status: 422 },
    { steps: -1, status: 200 },
    { steps: 0, status: 200 },
    { steps: 1, status: 200 },
    { steps: 2, status: 422 },
  ])('a code (T44) of step $steps gets $status', async ({ steps, status }) => {
    const person = await quickly()
    const { app } = await enableApp(service, person)
    service.clock.advance(5 * minute)
    beginStep()
    expect((await sendCode(service, person.tokens, app.code(steps))).status).toBe(status)
  })

  it('a code (T44) works once, and voids older ones (T43)', async () => {
    const person = await quickly()
    const { app } = await enableApp(service, person)
    const confirmedWith = app.code()
    expect((await sendCode(service, person.tokens, confirmedWith)).status).toBe(422)
    service.clock.advance(5 * minute)
    beginStep()
    const [older, code] = [app.code(-1), app.code()]

    expect((await sendCode(service, person.tokens, code)).status).toBe(200)
    expect((await sendCode(service, person.tokens, code)).status).toBe(422)
    expect((await sendCode(service, person.tokens, older)).status).toBe(422)
    expect((await sendCode(service, person.tokens, app.code(1))).status).toBe(200)
  })

  it('a code (T44) may contain spaces, and must have six digits', async () => {
    const person = await quickly()
    const { app } = await enableApp(service, person)
    const right = app.next()
    const arabic = [...right].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')
    const forms = ['12345', '1234567', 'abcdef', '', ' ', `${right}0`, `+${right}`, arabic]

    for (const code of forms) {
      const [codeResponse, confirmationAnswer] = [
        await sendCode(service, person.tokens, code),
        await person.post('/api/account/2fa/confirm', { code }),
      ]
      expect([code, codeResponse.status, confirmationAnswer.status]).toEqual([code, 400, 400])
    }
    const spaced = ` ${right.slice(0, 3)} ${right.slice(3)}`
    expect((await sendCode(service, person.tokens, spaced)).status).toBe(200)
  })

  it('a code (T44) is rejected for another user', async () => {
    const [one, other] = [await quickly(), await quickly()]
    const { app } = await enableApp(service, one)
    await enableApp(service, other)
    const code = app.next()
    expect((await sendCode(service, other.tokens, code)).status).toBe(422)
    expect((await sendCode(service, one.tokens, code)).status).toBe(200)
  })

  it('a code (T44) is rejected for a user without a second factor and for an ended session', async () => {
    const [barePerson, deletedUser] = [await quickly(), await quickly()]
    const { app } = await enableApp(service, deletedUser)
    await deletedUser.post('/api/logout')
    expect((await sendCode(service, barePerson.tokens, '123456')).status).toBe(422)
    expect((await sendCode(service, deletedUser.tokens, app.next())).status).toBe(401)
    const { access_token } = (await quickly()).tokens
    const asRefresh = { ...barePerson.tokens, refresh_token: access_token }
    expect((await sendCode(service, asRefresh, '123456')).status).toBe(401)
  })
})

describe('a code with a rotated refresh token (T31)', () => {
  const refresh = (refresh_token: string) =>
    service.post('/api/auth/token/refresh', { refresh_token })
  const replaced = async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const { tokens } = await logIn(service, person)
    const next = (await refresh(tokens.refresh_token)).json<Tokens>()
    return { app, tokens, next }
  }

  it('a code with a rotated refresh token (T31) is accepted within a minute, and returns the successor', async () => {
    const { app, tokens, next } = await replaced()
    const { tokens: codeTokens, ...session } = await enterCode(service, tokens, app.next())
    expect(codeTokens.refresh_token).toBe(next.refresh_token)
    expect((await session.get('/api/account')).status).toBe(200)
    expect((await refresh(codeTokens.refresh_token)).json()).toMatchObject({ requires_2fa: null })
  })

  it('a code with a rotated refresh token (T31) ends the session later, with any code', async () => {
    const { app, tokens, next } = await replaced()
    service.clock.advance(61_000)
    expect((await sendCode(service, tokens, app.wrong())).status).toBe(401)
    expect((await refresh(next.refresh_token)).status).toBe(401)
    expect((await sendCode(service, next, app.next())).status).toBe(401)
    const audited = await service.db
      .selectFrom('audit_entries')
      .select('result')
      .where('event', '=', 'refresh.reused')
      .where('actor_id', '=', claimsOf(tokens.access_token)['sub'] ?? '')
      .execute()
    expect(audited).toEqual([{ result: 'refused' }])
  })
})

describe('preparing a second factor with an Idempotency-Key (T117)', () => {
  it.each(['', '/enable'])(
    'preparing a second factor with an Idempotency-Key (T117) shows the secret once: %s',
    async (path) => {
      const person = await quickly()
      const headers = { ...bearer(person.tokens.access_token).headers, 'idempotency-key': 'once' }
      const call = () =>
        service.post(`/api/account/2fa${path}`, { provider: 'AuthenticatorApp' }, { headers })
      const first = await call()
      const { ga_secret, backup_codes } = first.json<EnabledApp>()
      const secondAnswer = await call()
      expect([first.status, secondAnswer.status]).toEqual([200, 422])
      expect(secondAnswer.json()).toMatchObject({ code: 'already_done' })
      const storedRows = await service.db.selectFrom('idempotency_keys').selectAll().execute()
      for (const secret of [ga_secret, ...backup_codes]) {
        expect(JSON.stringify(storedRows)).not.toContain(secret)
      }
      const { code } = authenticator(service, ga_secret)
      expect((await person.post('/api/account/2fa/confirm', { code: code() })).status).toBe(200)
    },
  )
})

describe('guessing codes (T45)', () => {
  it('causes a back-off per user, not per login, also for the correct code', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const logins = [await logIn(service, person), await logIn(service, person)]
    const guess = async (index: number) =>
      (await sendCode(service, logins[index % 2]?.tokens as Tokens, app.wrong())).status
    for (let index = 0; index < 5; index++) expect(await guess(index)).toBe(422)
    // The back-off grows from 1 s: later waits are too long for this test.
    for (const waitMs of [2_000, 3_000, 5_000, 9_000]) {
      service.clock.advance(waitMs)
      expect(await guess(waitMs)).toBe(422)
    }
    const { tokens } = await logIn(service, person)
    const right = app.code(1)
    const lockedAnswer = await sendCode(service, tokens, right)
    const stranger = await quickly()
    const others = await enableApp(service, stranger)

    expect(lockedAnswer.status).toBe(429)
    expect(Number(lockedAnswer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await sendCode(service, stranger.tokens, others.app.next())).status).toBe(200)
    service.clock.advance(60_000)
    expect((await sendCode(service, tokens, app.next())).status).toBe(200)
  })
})

describe('the QR code of an authenticator app (T52)', () => {
  it.each(['', '/enable'])(
    'the QR code of an authenticator app (T52) has the secret of the response, issuer and label: %s',
    async (path) => {
      const person = await quickly()
      const { ga_qr_code_svg, ga_secret, backup_codes } = await prepare(person, path)
      const scanned = URI.parse(readQr(ga_qr_code_svg))

      expect(scanned).toMatchObject({ issuer: 'Emoji Id Directory', label: person.email })
      expect(scanned).toMatchObject({ algorithm: 'SHA1', digits: 6, period: 30 })
      expect(scanned.secret.base32).toBe(ga_secret)
      expect(scanned.secret.bytes.length).toBeGreaterThanOrEqual(16)
      expect(new Set(backup_codes).size).toBe(10)
      for (const code of backup_codes) expect(code).toMatch(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/)
      const { code } = authenticator(service, scanned.secret.base32)
      expect((await person.post('/api/account/2fa/confirm', { code: code() })).status).toBe(200)
    },
  )
})

/** Renders the unit squares of the picture, then decodes them like a camera. */
function readQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const path = /<path d="([^"]+)"/.exec(svg)?.[1] ?? ''
  const scale = 4
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255)
  let [x, y] = [0, 0]
  for (const square of path.split('Z').filter(Boolean)) {
    const [, kind, across, down] = /^([Mm])(-?\d+)[ ,]?(-?\d+)h1v1[Hh]-?\d+$/.exec(square) ?? []
    if (!kind) throw new Error(`No unit square: ${square}`)
    x = Number(across) + (kind === 'm' ? x : 0)
    y = Number(down) + (kind === 'm' ? y : 0)
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      for (let column = x * scale; column < (x + 1) * scale; column++) {
        pixels.fill(0, (row * size * scale + column) * 4, (row * size * scale + column) * 4 + 3)
      }
    }
  }
  const qrCode = jsqr.default(pixels, size * scale, size * scale)
  return qrCode?.data ?? 'not readable'
}
