import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { callsWith, goodPassword, newcomer, type Person } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let origin: string
beforeAll(async () => {
  service = await sharedService()
  origin = new URL(service.webUrl).origin
})

const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const hashOf = (name: string) => createHash('sha256').update(name).digest('base64url')

/** A browser with the cookies of both sites. */
function newBrowser() {
  const jar = new Map<string, string>()
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
  ) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await service.call(method, path, {
      headers: { ...headers, ...(cookie ? { cookie } : {}) },
      ...(body ? { body } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return answer
  }
  const own = { 'sec-fetch-site': 'same-origin' }
  return {
    jar,
    call,
    post: (path: string, body: object = {}) => call('POST', path, { headers: own, body }),
    /** A call of the web site's pages to the authorization site. */
    atAuth: (path: string, from = origin) => call('POST', path, { headers: { origin: from } }),
    async handOver(browser: string, headers: Record<string, string> = page) {
      const path = `/session/hand-over?client_id=x&browser=${browser}`
      const answer = await call('GET', path, { headers })
      const location = new URL(answer.headers.get('location') ?? '')
      return { location, token: location.searchParams.get('web_login') ?? '' }
    },
  }
}

type Browser = ReturnType<typeof newBrowser>

async function signedIn(person: Person): Promise<Browser> {
  const browser = newBrowser()
  const { refresh_token } = person.tokens
  expect((await browser.post('/session', { refresh_token })).status).toBe(200)
  return browser
}

/** Continues at the web site what the authorization site knows of the browser. */
async function arrive(browser: Browser, change: (token: string) => string = (token) => token) {
  const startAnswer = await browser.post('/session/arrival')
  const { browser: hash } = startAnswer.json<{ browser: string }>()
  const { token } = (await browser.atAuth(`/auth/hand_over?browser=${hash}`)).json<{
    token: string | null
  }>()
  return browser.post('/session/arrive', { token: change(token ?? '') })
}

/** Signs in at the authorization site, as its own pages do. */
async function atAuthorization(person: Person): Promise<Browser> {
  const browser = await signedIn(person)
  const name = 'n'.repeat(43)
  browser.jar.set('__Host-svc_browser', name)
  const { token } = await browser.handOver(hashOf(name))
  const handle = await service.login.acceptHandOver('authorization', token, name, undefined)
  const fresh = newBrowser()
  fresh.jar.set('__Host-svc_auth', handle ?? '')
  return fresh
}

describe('the hand-over to the authorization site (T123)', () => {
  it('gives a code to a signed-in browser and none to others, and leads nowhere else', async () => {
    const person = await newcomer(service)
    const browser = await signedIn(person)
    const handover = await browser.handOver(hashOf('x'))
    expect(handover.location.origin + handover.location.pathname).toBe(
      `${service.webUrl}/auth/authorize`,
    )
    expect(handover.token).toMatch(/^[\w-]{43}$/)
    expect(handover.location.searchParams.get('client_id')).toBe('x')
    expect((await newBrowser().handOver(hashOf('x'))).token).toBe('none')
    expect((await browser.handOver('x')).token).toBe('none')
    // A script or an image of another site gets nothing.
    expect((await browser.handOver(hashOf('x'), { 'sec-fetch-mode': 'no-cors' })).token).toBe(
      'none',
    )
    expect((await browser.handOver(hashOf('x'), {})).token).toBe('none')
  })

  it('works once, within a minute, in the browser that it is for, at the site that it is for', async () => {
    const person = await newcomer(service)
    const browser = await signedIn(person)
    const accept = (token: string, name: string, to: 'authorization' | 'web' = 'authorization') =>
      service.login.acceptHandOver(to, token, name, undefined)
    const tokenFor = async (name: string) => (await browser.handOver(hashOf(name))).token
    expect(await accept(await tokenFor('mine'), 'other')).toBe(undefined)
    expect(await accept(await tokenFor('mine'), 'mine', 'web')).toBe(undefined)
    const token = await tokenFor('mine')
    const handles = await Promise.all([accept(token, 'mine'), accept(token, 'mine')])
    expect(handles.filter(Boolean)).toHaveLength(1)
    const late = await tokenFor('mine')
    service.clock.advance(60_000)
    expect(await accept(late, 'mine')).toBe(undefined)
    const endedToken = await tokenFor('mine')
    await browser.call('DELETE', '/session', { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(await accept(endedToken, 'mine')).toBe(undefined)
  })
})

describe('the hand-over to the web site', () => {
  it('continues in the same browser, once, and only for our own page', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const browser = await atAuthorization(person)
    expect((await browser.atAuth('/auth/signed_in')).json()).toEqual({ name: person.email })
    expect((await browser.atAuth('/auth/signed_in', 'https://evil.example')).status).toBe(403)
    expect((await browser.call('POST', '/auth/hand_over')).status).toBe(403)
    const answer = await arrive(browser)
    expect(answer.status).toBe(200)
    expect(browser.jar.get('__Host-svc_web')).toMatch(/^ws_/)
    expect((await arrive(browser, () => 'x')).status).toBe(401)
    // The code of one browser is none for another.
    const victim = newBrowser()
    await victim.post('/session/arrival')
    const startAnswer = await browser.post('/session/arrival')
    const { browser: hash } = startAnswer.json<{ browser: string }>()
    const { token } = (await browser.atAuth(`/auth/hand_over?browser=${hash}`)).json<{
      token: string
    }>()
    expect((await victim.post('/session/arrive', { token })).status).toBe(401)
    expect((await newBrowser().atAuth('/auth/signed_in')).json()).toEqual({ name: null })
  })

  it('makes neither the sign-in nor the last code newer', async () => {
    const person = await newcomer(service, { password: goodPassword })
    await enableApp(service, person)
    const browser = await atAuthorization(person)
    service.clock.advance(16 * 60_000)
    const { access_token } = (await arrive(browser)).json<{ access_token: string }>()
    const answer = await callsWith(service, { access_token }).post('/api/api_keys', { name: 'x' })
    expect(answer.status).toBe(424)
  })
})

it('signing out ends the sessions of the browser at both sites', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const browser = await atAuthorization(person)
  await arrive(browser)
  await browser.call('DELETE', '/session', { headers: { 'sec-fetch-site': 'same-origin' } })
  expect((await browser.atAuth('/auth/signed_in')).json()).toEqual({ name: null })
  // The device whose token began all this stays signed in.
  expect((await person.get('/api/account')).status).toBe(200)
})

describe('signing out in a browser with independent sessions', () => {
  it('at the web site ends the session at the authorization site', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const browser = await atAuthorization(person)
    const { refresh_token } = person.tokens
    await browser.post('/session', { refresh_token })
    const handle = browser.jar.get('__Host-svc_auth') ?? ''
    await browser.call('DELETE', '/session', { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(browser.jar.has('__Host-svc_auth')).toBe(false)
    browser.jar.set('__Host-svc_auth', handle)
    expect((await browser.atAuth('/auth/signed_in')).json()).toEqual({ name: null })
  })

  it('signing out in a browser with independent sessions works for a web site on another host, and for its pages only', async () => {
    const browser = await atAuthorization(await newcomer(service, { password: goodPassword }))
    expect((await browser.atAuth('/auth/sign_out', 'https://evil.example')).status).toBe(403)
    const handle = browser.jar.get('__Host-svc_auth') ?? ''
    expect((await browser.atAuth('/auth/sign_out')).status).toBe(200)
    browser.jar.set('__Host-svc_auth', handle)
    expect((await browser.atAuth('/auth/signed_in')).json()).toEqual({ name: null })
  })

  it('at the authorization site ends the session at the web site, and other sites cannot', async () => {
    const browser = await signedIn(await newcomer(service, { password: goodPassword }))
    const leave = (site: string) =>
      browser.call('POST', '/session/leave?client_id=x&web_login=y', {
        headers: { 'sec-fetch-site': site },
      })
    const isIn = async () => (await browser.post('/session/token')).json()['access_token'] !== null
    expect((await leave('cross-site')).headers.get('location')).toBe(
      `${service.webUrl}/auth/authorize?client_id=x&web_login=none`,
    )
    expect(await isIn()).toBe(true)
    expect((await leave('same-site')).status).toBe(303)
    expect(await isIn()).toBe(false)
  })

  it('signing out in a browser with independent sessions ends the whole chain of continued sessions, from either end', async () => {
    const chain = async () => {
      const person = await newcomer(service, { password: goodPassword })
      const first = await signedIn(person)
      const webs = [first]
      for (let step = 0; step < 3; step++) {
        const [web = first] = webs.slice(-1)
        const { token } = await web.handOver(hashOf('mine'))
        const handle = await service.login.acceptHandOver('authorization', token, 'mine', undefined)
        const next = newBrowser()
        next.jar.set('__Host-svc_auth', handle ?? '')
        expect((await arrive(next)).status).toBe(200)
        next.jar.delete('__Host-svc_auth')
        webs.push(next)
      }
      return webs
    }
    for (const end of [0, -1]) {
      const webs = await chain()
      await webs
        .at(end)
        ?.call('DELETE', '/session', { headers: { 'sec-fetch-site': 'same-origin' } })
      const answers = await Promise.all(webs.map((web) => web.post('/session/token')))
      expect(answers.map((answer) => answer.json()['access_token'])).toEqual([
        null,
        null,
        null,
        null,
      ])
    }
  })
})

describe('a code for another browser (T123)', () => {
  it.each(['a new browser', 'a signed-in browser'])(
    'a code for another browser (T123) is used up in %s',
    async (kind) => {
      const person = await newcomer(service)
      const victim = await signedIn(person)
      const name = 'a'.repeat(43)
      const { location, token } = await victim.handOver(hashOf(name))
      const opener = kind === 'a new browser' ? newBrowser() : await atAuthorization(person)
      const answer = await opener.call('GET', location.pathname + location.search, {
        headers: page,
      })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).not.toContain(token)
      expect(await service.login.acceptHandOver('authorization', token, name, undefined)).toBe(
        undefined,
      )
    },
  )

  it('a code for another browser (T123) is used up at the web site', async () => {
    const browser = await atAuthorization(await newcomer(service))
    const { browser: hash } = (await browser.post('/session/arrival')).json<{ browser: string }>()
    const { token } = (await browser.atAuth(`/auth/hand_over?browser=${hash}`)).json<{
      token: string
    }>()
    expect((await newBrowser().post('/session/arrive', { token })).status).toBe(401)
    expect((await browser.post('/session/arrive', { token })).status).toBe(401)
  })
})
