import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type Browser,
  callbackUrl,
  newApplication,
  newOrganization,
  pkceChallenge,
  readRedirect,
  signIn,
} from '../support/applications.ts'
import { grant, newId } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let application: Application
let browser: Browser
let id: string
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
  const person = await newcomer(service, { password: goodPassword })
  id = await grant(admin, { user_id: person.id })
  browser = await signIn(service, application, person)
})

const ourOwn = { 'sec-fetch-site': 'same-origin' }
/** A valid request, chosen id included: only the changed parameter can cause the error. */
const ask = (change: Record<string, string> = {}) =>
  browser.open(choicePath(application.at({ svc: id, ...change })), ourOwn)
/** The path of the selector's own link. */
const choicePath = (path: string) => `${path}&form_token=${browser.formToken()}`
/** A request from a page of ours that is not the selector. */
const name = (svc: string) => browser.open(application.at({ svc }), ourOwn)
const without = (...names: string[]) => {
  const url = new URL(choicePath(application.at({ svc: id })), service.address)
  for (const name of names) url.searchParams.delete(name)
  return browser.open(`${url.pathname}${url.search}`, ourOwn)
}
const expectPage = (answer: Answer) => {
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('location')).toBeNull()
}
const expectError = (answer: Answer, error: string, state: string | null = 'xyz') => {
  expect(answer.status).toBe(302)
  const query = readRedirect(answer)
  expect([query.place, query.get('error'), query.get('state'), query.get('code')]).toEqual([
    callbackUrl,
    error,
    state,
    null,
  ])
  expect(query.get('error_description')).toBeTruthy()
  expect(query.get('iss')).toBe('http://localhost:3000/auth')
}

describe('an unregistered redirect address (T68)', () => {
  it.each([
    `${callbackUrl}/`,
    `${callbackUrl}/../x`,
    `${callbackUrl}?a=1`,
    `${callbackUrl}#f`,
    'https://CHAT.example/back',
    'HTTPS://chat.example/back',
    'https://chat.example/bac%6b',
    'https://chat.example/%2e/back',
    'https://chat.example/./back',
    'https://me@chat.example/back',
    'https://chat.example:8443/back',
    'https://chat.example:443/back',
    'http://chat.example/back',
    '//chat.example/back',
    'https://chat.example.evil.example/back',
    'https://evil.example/back',
    'https://chаt.example/back',
    'https://chat.example/back\n',
    ' https://chat.example/back',
    'https://chat.example\\@evil.example/back',
    'javascript:alert(1)',
    '',
    '\u0000',
  ])('an unregistered redirect address (T68) is reported on a page: %j', async (redirect_uri) => {
    for (const path of ['/authorize', '/authorize/cancel', '/authorize/first_password']) {
      expectPage(await browser.open(application.at({ svc: id, redirect_uri }, path), ourOwn))
    }
  })

  it.each([callbackUrl, 'https://evil.example/'])(
    'is reported on a page if the parameter is repeated: %s',
    async (uri) => {
      const repeatParameter = `&redirect_uri=${encodeURIComponent(uri)}`
      expectPage(await browser.open(`${application.at({ svc: id })}${repeatParameter}`, ourOwn))
    },
  )

  it('an unregistered redirect address (T68) is reported on a page if it is missing', async () =>
    expectPage(await without('redirect_uri')))

  it('an unregistered redirect address (T68) is reported on a page if it belongs to another application', async () => {
    const otherUrl = 'https://other.example/back'
    const other = await newApplication(service, admin, { redirect_uris: [otherUrl] })
    expectPage(await ask({ redirect_uri: otherUrl }))
    expectPage(await ask({ client_id: other.client_id }))
  })
})

describe('an unknown application (T69)', () => {
  it.each(['', 'unknown', 'demo-app', '\u0000', '🦀', "' or 1=1--", 'x'.repeat(5_000)])(
    'is reported to the user on a page: %j',
    async (client_id) => expectPage(await ask({ client_id })),
  )

  it('an unknown application (T69) is reported on a page if the parameter is missing or repeated', async () => {
    expectPage(await without('client_id'))
    const repeatParameter = `&client_id=${application.client_id}`
    expectPage(await browser.open(`${application.at({ svc: id })}${repeatParameter}`, ourOwn))
  })
})

describe('state (T70)', () => {
  it.each([
    '%',
    '&',
    '"',
    '<script>alert(1)</script>',
    '🦀'.repeat(50),
    'a+b c',
    '%0d%0a',
    'a=b#c',
    '\r\nSet-Cookie: a=b',
    `'"><img src=x>`,
    '%25',
    '👨‍👩‍👧',
    'é',
    'x'.repeat(50),
  ])('state (T70) is returned unchanged: %j', async (state) => {
    const choiceAnswer = await ask({ state })
    expect([choiceAnswer.status, readRedirect(choiceAnswer).get('state')]).toEqual([302, state])
    expect(readRedirect(choiceAnswer).get('code')).toBeTruthy()
    expect(choiceAnswer.headers.get('location')).toMatch(/^[!-~]+$/)
    expect(choiceAnswer.headers.get('set-cookie')).toBeNull()
    expectError(await ask({ state, scope: 'admin' }), 'invalid_scope', state)
  })

  it('state (T70) of 51 characters is too long', async () => {
    for (const state of ['x'.repeat(51), '🦀'.repeat(51), 'x'.repeat(4_000)]) {
      expectError(await ask({ state }), 'invalid_request', state)
    }
  })

  it('state (T70) is optional', async () => {
    const answer = await without('state')
    expect([...readRedirect(answer).keys()]).toEqual(['code', 'iss'])
  })

  it('state (T70) is escaped on pages', async () => {
    const evil = `"><script>alert(1)</script>'`
    const pages = [
      await browser.open(application.at({ state: evil })),
      await service.get(application.at({ state: evil })),
    ]
    for (const { status, body } of pages) {
      expect(status).toBe(200)
      expect(body).not.toContain('<script')
      expect(body).toContain('script%3E')
    }
  })
})

describe('an unsupported request (T71)', () => {
  it.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_type', 'code token', 'unsupported_response_type'],
    ['response_type', 'CODE', 'unsupported_response_type'],
    ['response_type', '', 'invalid_request'],
    ['scope', 'admin', 'invalid_scope'],
    ['scope', 'svc admin', 'invalid_scope'],
    ['scope', '', 'invalid_scope'],
    ['code_challenge_method', 'S256', 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['code_challenge', pkceChallenge.code_challenge, 'invalid_request'],
  ])('%s=%s redirects to the application with %s', async (name, value, error) => {
    expectError(await ask({ [name]: value }), error)
  })

  it.each([
    ['response_type', 'invalid_request'],
    ['scope', 'invalid_scope'],
  ])(
    'an unsupported request (T71) without %s redirects to the application with %s',
    async (name, error) => expectError(await without(name), error),
  )

  it.each(['plain', 's256', ''])('a challenge with method %j is rejected (T76)', async (method) =>
    expectError(await ask({ ...pkceChallenge, code_challenge_method: method }), 'invalid_request'),
  )

  it.each(['short', 'x'.repeat(44), 'x'.repeat(42), `${'x'.repeat(42)}=`])(
    'a challenge that is not SHA-256 is rejected: %s',
    async (code_challenge) =>
      expectError(await ask({ ...pkceChallenge, code_challenge }), 'invalid_request'),
  )

  it.each(['response_type', 'scope', 'svc', 'code_challenge'])(
    'a repeated %s is rejected',
    async (name) => {
      const path = `${application.at({ svc: id, ...pkceChallenge })}&${name}=code`
      expectError(await browser.open(path, ourOwn), 'invalid_request')
    },
  )

  it('a repeated state is not returned', async () => {
    const answer = await browser.open(
      `${choicePath(application.at({ svc: id }))}&state=abc`,
      ourOwn,
    )
    expectError(answer, 'invalid_request', null)
  })
})

describe('an id that the user may not choose (T72)', () => {
  it('belongs to another user', async () => {
    const other = await newcomer(service)
    const otherId = await grant(admin, { user_id: other.id })
    expectError(await name(otherId), 'access_denied')
    const organization_id = await newOrganization(admin)
    const ofOrganization = await grant(admin, { organization_id })
    expectError(await name(ofOrganization), 'access_denied')
  })

  it('an id that the user may not choose (T72) has no owner', async () =>
    expectError(await name(newId()), 'invalid_request'))

  it.each(['crab', '🦀', 'x🦀🦀', '../🦀', '🦀'.repeat(60), "' or 1=1--", ' '])(
    'a choice that is not a valid id is refused: %j (T72)',
    async (svc) => expectError(await name(svc), 'invalid_request'),
  )

  it('an id that the user may not choose (T72) cannot be chosen without signing in', async () => {
    const page = await service.get(application.at({ svc: id }), { headers: ourOwn })
    expect([page.status, page.headers.get('location')]).toEqual([200, null])
    expect(page.body).toContain('Email me a link')
  })
})

describe('a link that chooses an id (T79)', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'user-agent': 'Mozilla/5.0' },
    { 'user-agent': 'curl/8.0' },
    {},
  ])('on another page shows the selector: %j', async (headers) => {
    const page = await browser.open(application.at({ svc: id }), headers)
    expect([page.status, page.headers.get('location')]).toEqual([200, null])
    expect(page.body).toContain('Signed in as')
  })

  it.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, {}])(
    'of another owner shows the selector, and tells the application nothing: %j',
    async (headers) => {
      const foreignId = await grant(admin, { user_id: admin.id })
      for (const svc of [foreignId, '🔥🔥🔥🔥🔥🔥', 'no id']) {
        const page = await browser.open(application.at({ svc }), headers)
        expect([page.status, page.headers.get('location')]).toEqual([200, null])
      }
    },
  )

  it('a link that chooses an id (T79) has no effect on HEAD', async () => {
    const head = await browser.open(application.at({ svc: id }), ourOwn, 'HEAD')
    expect([head.status, head.headers.get('location')]).toEqual([200, null])
  })

  it('a link that chooses an id (T79) works from the page itself, but not with the token of another browser', async () => {
    const page = await browser.open(application.at())
    const link = /href="([^"]+svc=[^"]+)"/.exec(page.body)?.[1]?.replaceAll('&#38;', '&') ?? ''
    const { pathname, search } = new URL(link)
    const answer = await browser.open(`${pathname}${search}`, { 'user-agent': 'Mozilla/5.0' })
    expect(readRedirect(answer).get('code')).toBeTruthy()
    const person = await newcomer(service, { password: goodPassword })
    const other = await signIn(service, application, person)
    await other.open(application.at())
    const foreign = application.at({ svc: id, form_token: other.formToken() })
    expect(readRedirect(await browser.open(foreign)).get('code')).toBeNull()
  })

  it('a link that chooses an id (T79) works after an earlier consent, but never from another site', async () => {
    const own = await newApplication(service, admin)
    const path = own.at({ svc: id })
    const pasted = { 'sec-fetch-site': 'none' }
    expect((await browser.open(path, pasted)).status).toBe(200)
    expect((await browser.open(path)).status).toBe(200)
    const code = readRedirect(await browser.open(choicePath(path), ourOwn)).get('code') ?? ''
    expect((await own.exchange(code)).status).toBe(200)
    for (const headers of [pasted, {}, { 'user-agent': 'Mozilla/5.0' }]) {
      expect(readRedirect(await browser.open(path, headers)).get('code')).toBeTruthy()
    }
    expect((await browser.open(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(200)
    const other = await newApplication(service, admin)
    expect((await browser.open(other.at({ svc: id }), pasted)).status).toBe(200)
    expect((await browser.open(other.at({ svc: id }))).status).toBe(200)
  })
})
