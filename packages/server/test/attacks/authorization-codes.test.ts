import { generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type ApplicationTokens,
  type Browser,
  chooseId,
  newApplication,
  pkceChallenge,
  signIn,
  signInAtApplication,
  verifier,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import {
  bearer,
  claimsOf,
  confirmedUser,
  goodPassword,
  newcomer,
  type Person,
  registerAs,
} from '../support/people.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let admin: Person
let application: Application
let person: Person
let browser: Browser
let id: string
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
  person = await newcomer(service, { password: goodPassword })
  id = await grant(admin, { user_id: person.id })
  browser = await signIn(service, application, person)
})

const newCode = (more = {}) => chooseId(browser, application, id, more)
const ids = (access_token: string) => service.get('/api/emoji_id', bearer(access_token))
const expectGrantRefused = (answer: Answer) => {
  expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant'])
  expect(answer.json()['error_description']).toBeTruthy()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).not.toContain('token"')
}

describe('an authorization code', () => {
  it('an authorization code is exchanged for tokens that see the chosen id', async () => {
    const answer = await application.exchange(await newCode())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { access_token, refresh_token, ...rest } = answer.json<ApplicationTokens>()
    expect(rest).toEqual({
      token_type: 'Bearer',
      type: 'SvcAccessToken',
      expires_in: 900,
      scope: 'svc',
    })
    expect(refresh_token).toMatch(/^rs_[\w-]{43}$/)
    const { type, svc, client_id, sub } = claimsOf(access_token)
    expect({ type, svc, client_id }).toEqual({
      type: 'SvcAccessToken',
      svc: id,
      client_id: application.client_id,
    })
    expect(sub).not.toBe(person.id)
    expect((await ids(access_token)).json()).toEqual([id])
  })

  it('an authorization code works once; reuse revokes the grant (T73)', async () => {
    const { code, tokens } = await signInAtApplication(service, admin, application)
    const successor = (await application.refresh(tokens.refresh_token)).json<ApplicationTokens>()
    service.clock.advance(2_000)
    expectGrantRefused(await application.exchange(code))
    for (const { access_token, refresh_token } of [tokens, successor]) {
      expect((await ids(access_token)).status).toBe(401)
      expectGrantRefused(await application.refresh(refresh_token))
    }
    expectGrantRefused(await application.exchange(code))
  })

  it('exchanged eight times at once gives one grant, which only a later exchange revokes', async () => {
    stopTheClock()
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => application.exchange(code)))
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    for (const answer of answers) if (answer !== winner) expectGrantRefused(answer)
    const tokens = winner?.json<ApplicationTokens>()
    expect((await ids(tokens?.access_token ?? '')).json()).toEqual([id])
    const next = await application.refresh(tokens?.refresh_token ?? '')
    expect(next.status).toBe(200)
    service.clock.advance(1_001)
    expectGrantRefused(await application.exchange(code))
    expect((await ids(tokens?.access_token ?? '')).status).toBe(401)
    expectGrantRefused(await application.refresh(next.json<ApplicationTokens>().refresh_token))
  })

  it('reused by another application revokes nothing', async () => {
    const { code, tokens } = await signInAtApplication(service, admin, application)
    const other = await newApplication(service, admin)
    expectGrantRefused(await other.exchange(code))
    expect((await ids(tokens.access_token)).status).toBe(200)
  })

  it('expires after a minute, without clock-skew tolerance (T75)', async () => {
    stopTheClock()
    const [earlyCode, lateCode] = [await newCode(), await newCode()]
    service.clock.advance(55_000)
    expect((await application.exchange(earlyCode)).status).toBe(200)
    service.clock.advance(6_000)
    expectGrantRefused(await application.exchange(lateCode))
  })
})

describe('a wrong authorization code (T75)', () => {
  const change = (text: string, at: number) =>
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  const resigned = async (code: string) => {
    const { privateKey } = await generateKeyPair('EdDSA')
    const header = JSON.parse(Buffer.from(code.split('.')[0] ?? '', 'base64url').toString())
    return new SignJWT(claimsOf(code)).setProtectedHeader(header).sign(privateKey)
  }
  const unsigned = (code: string) => {
    const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'code+jwt' }))
    return `${head.toString('base64url')}.${code.split('.')[1]}.`
  }
  const wrongCodes: Record<string, (code: string) => string | Promise<string>> = {
    'with a byte of its claims changed': (code) => change(code, code.indexOf('.') + 20),
    'with a byte of its signature changed': (code) => change(code, code.lastIndexOf('.') + 20),
    'signed with another key': resigned,
    unsigned: unsigned,
    'cut short': (code) => code.slice(0, -5),
    'with something behind it': (code) => `${code}=`,
    'that is no code': () => 'code',
    'that is too long': (code) => code + 'A'.repeat(8_000),
  }
  it.each(Object.keys(wrongCodes))(
    'is rejected %s, and the real one works afterwards',
    async (name) => {
      const code = await newCode()
      expectGrantRefused(await application.exchange((await wrongCodes[name]?.(code)) ?? ''))
      expect((await application.exchange(code)).status).toBe(200)
    },
  )

  it('a wrong authorization code (T75) is rejected from another application', async () => {
    const [code, other] = [await newCode(), await newApplication(service, admin)]
    expectGrantRefused(await other.exchange(code))
    expect((await application.exchange(code)).status).toBe(200)
  })

  it('a wrong authorization code (T75) is rejected with another redirect address, registered or not', async () => {
    const second = 'https://chat.example/other'
    const change = { redirect_uris: ['https://chat.example/back', second] }
    const two = await newApplication(service, admin, change)
    const code = await chooseId(browser, two, id)
    for (const redirect_uri of [second, 'https://evil.example/', 'https://chat.example/back/']) {
      expectGrantRefused(await two.exchange(code, { redirect_uri }))
    }
    expect((await two.exchange(code)).status).toBe(200)
  })

  it('a wrong authorization code (T75) is rejected if it is a token of another kind', async () => {
    const { tokens } = await signInAtApplication(service, admin, application)
    const others = [
      tokens.access_token,
      tokens.refresh_token,
      person.tokens.access_token,
      person.tokens.refresh_token,
      browser.handle() ?? '',
      browser.name(),
    ]
    for (const other of others) expectGrantRefused(await application.exchange(other))
  })
})

describe('the PKCE challenge (T76)', () => {
  const wrong: Record<string, Record<string, string>> = {
    'no verifier': {},
    'another verifier': { code_verifier: `${verifier}x` },
    'the challenge itself': { code_verifier: pkceChallenge.code_challenge },
    'a verifier of 42 characters': { code_verifier: 'x'.repeat(42) },
    'a verifier of 129 characters': { code_verifier: 'x'.repeat(129) },
    'an empty verifier': { code_verifier: '' },
  }
  it.each(Object.entries(wrong))('rejects %s', async (_, wrongVerifier) => {
    const code = await newCode(pkceChallenge)
    expectGrantRefused(await application.exchange(code, wrongVerifier))
    expect((await application.exchange(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('an absent PKCE challenge rejects a verifier (T76)', async () => {
    const code = await newCode()
    expectGrantRefused(await application.exchange(code, { code_verifier: verifier }))
  })
})

describe('an authorization code is void after a change before its exchange:', () => {
  const before = async () => {
    const owner = await newcomer(service, { password: goodPassword })
    const ownedId = await grant(admin, { user_id: owner.id })
    const own = await signIn(service, application, owner)
    return { owner, owned: ownedId, code: await chooseId(own, application, ownedId) }
  }
  type CodeSituation = Awaited<ReturnType<typeof before>>
  const happenings: Record<string, (one: CodeSituation) => Promise<Answer>> = {
    'the id is transferred': async ({ owned }) => {
      const { email } = await confirmedUser(service)
      return admin.post('/api/transfers', {
        eid: owned,
        email,
        force_transfer: true,
        reason: 'Support',
      })
    },
    'the id is released': ({ owner, owned }) =>
      owner.delete(`/api/emoji_id/${encodeURIComponent(owned)}`),
    'the owner signs out': ({ owner }) => owner.post('/api/logout'),
    'the owner changes their password': ({ owner }) =>
      owner.patch('/api/account', {
        current_password: owner.password,
        password: 'quite another password',
      }),
    'the owner is deactivated': ({ owner }) =>
      admin.post(`/api/admin/users/${owner.id}/deactivate`, { reason: 'Left us' }),
  }
  it.each(Object.entries(happenings))('%s', async (_, happen) => {
    const one = await before()
    expect((await happen(one)).status).toBe(200)
    expectGrantRefused(await application.exchange(one.code))
  })

  it('the application is deleted', async () => {
    const other = await newApplication(service, admin)
    const code = await chooseId(browser, other, id)
    await admin.delete(`/api/admin/oauth_clients/${other.client_id}`)
    const answer = await other.exchange(code)
    expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_client'])
  })
})
