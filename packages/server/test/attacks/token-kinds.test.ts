import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  chooseId,
  newApplication,
  newBrowser,
  signIn,
  signInAtApplication,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { partnerWith } from '../support/own-pages.ts'
import {
  bearer,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  register,
  registerAs,
  submit,
} from '../support/people.ts'
import { type Phones, sharedPhones } from '../support/shared-phones.ts'

let service: MailedService
let phones: Phones
let admin: Person
let application: Application
let partner: string
beforeAll(async () => {
  ;({ service, phones } = await sharedPhones())
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
  partner = await partnerWith(admin, 'token-kinds', 'https://wallet.example.com/back')
})

const tokenIn = (link: string) => /[?&](?:refresh_)?token=([\w-]+)/.exec(link)?.[1] ?? ''
const signInLink = async () => {
  const { email } = await register(service, { password: null })
  return tokenIn(await service.linkTo(email))
}
const firstPassword = async () => {
  const page = await submit(service, '/auth/magic_link', { refresh_token: await signInLink() })
  return /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
}
/** A request of a page of the web site. */
const onSite = (path: string, body: object, more: Record<string, string> = {}) =>
  service.post(path, body, { headers: { 'sec-fetch-site': 'same-origin', ...more } })
const newUser = () => newcomer(service, { password: goodPassword })
const openBrowser = async () => signIn(service, application, await newUser())

const issue = {
  'access token': async () => (await newUser()).tokens.access_token,
  'refresh token': async () => (await newUser()).tokens.refresh_token,
  'sign-in link': signInLink,
  'first password': firstPassword,
  'exchange code': async () => {
    const skipped = { token: await firstPassword() }
    const { headers } = await submit(service, '/auth/first_password/skip', skipped)
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  },
  'confirmation link': async () => tokenIn(await service.linkTo((await register(service)).email)),
  'address change link': async () => {
    const [person, email] = [await newUser(), newEmail()]
    await person.patch('/api/account', { email, current_password: goodPassword })
    return tokenIn(await service.linkTo(email))
  },
  'reset link': async () => {
    const { email } = await newUser()
    await service.post('/api/auth/password_reset', { email })
    return tokenIn(await service.linkTo(email))
  },
  'API key': async () => {
    const keyResponse = await (await newUser()).post('/api/api_keys', { name: 'a key' })
    return keyResponse.json<{ api_key: string }>().api_key
  },
  'access token that owes a code': async () => {
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const phone = '+14155550133'
    await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    await person.post('/api/account/2fa/confirm', { code: await phones.codeTo(phone) })
    const { tokens } = await logIn(service, person)
    expect(tokens.requires_2fa).toBe('SMS')
    return tokens.access_token
  },
  'access token of an application': async () =>
    (await signInAtApplication(service, admin, application)).tokens.access_token,
  'refresh token of an application': async () =>
    (await signInAtApplication(service, admin, application)).tokens.refresh_token,
  'authorization code': async () => {
    const person = await newUser()
    const id = await grant(admin, { user_id: person.id })
    return chooseId(await signIn(service, application, person), application, id)
  },
  'authorization cookie': async () => (await openBrowser()).handle() ?? '',
  'form token': async () => {
    const page = await (await openBrowser()).open(application.at())
    return /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  },
  'web cookie': async () => {
    const { refresh_token } = (await newUser()).tokens
    const { headers } = await onSite('/session', { refresh_token })
    return /__Host-svc_web=([\w-]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  },
  'browser cookie': async () => (await openBrowser()).name(),
  'secret of an application': async () => (await newApplication(service, admin)).client_secret,
}
type Kind = keyof typeof issue
const kinds = Object.keys(issue) as Kind[]

const form = (path: string, name: string) => async (token: string) =>
  (await submit(service, path, { [name]: token, password: 'quite another password' })).status
/** The sign-in page means: not signed in. */
const asCookie = async (token: string) => {
  const headers = { cookie: `__Host-svc_auth=${token}` }
  const page = await service.get(application.at(), { headers })
  return page.body.includes('Signed in as') ? page.status : 401
}

/** Every place that accepts a token: its success response, and its response to any other token. */
const doors: Record<string, { kind: Kind; refusal: number; open: (t: string) => Promise<number> }> =
  {
    'GET /account': {
      kind: 'access token',
      refusal: 401,
      open: async (token) => (await service.get('/api/account', bearer(token))).status,
    },
    'GET /emoji_id': {
      kind: 'access token of an application',
      refusal: 401,
      open: async (token) => (await service.get('/api/emoji_id', bearer(token))).status,
    },
    'POST /account/2fa/sms_code': {
      kind: 'access token that owes a code',
      refusal: 401,
      open: async (token) =>
        (await service.post('/api/account/2fa/sms_code', undefined, bearer(token))).status,
    },
    'POST /auth/token/refresh': {
      kind: 'refresh token',
      refusal: 401,
      open: async (refresh_token) =>
        (await service.post('/api/auth/token/refresh', { refresh_token })).status,
    },
    'POST /session': {
      kind: 'refresh token',
      refusal: 401,
      open: async (refresh_token) => (await onSite('/session', { refresh_token })).status,
    },
    'POST /session/owing': {
      kind: 'refresh token',
      refusal: 401,
      open: async (refresh_token) => (await onSite('/session/owing', { refresh_token })).status,
    },
    'POST /partner/…/visit': {
      kind: 'refresh token',
      refusal: 401,
      open: async (refresh_token) =>
        (await onSite(`/partner/${partner}/visit`, { refresh_token })).status,
    },
    'the cookie of the web site': {
      kind: 'web cookie',
      refusal: 401,
      async open(token) {
        const answer = await onSite('/session/token', {}, { cookie: `__Host-svc_web=${token}` })
        return answer.json()['access_token'] === null ? 401 : answer.status
      },
    },
    'POST /auth/2fa': {
      kind: 'refresh token',
      refusal: 401,
      open: async (refresh_token) =>
        (await service.post('/api/auth/2fa', { refresh_token, code: '123456' })).status,
    },
    'POST /auth/exchange': {
      kind: 'exchange code',
      refusal: 401,
      open: async (code) => (await service.post('/api/auth/exchange', { code })).status,
    },
    'X-Api-Key': {
      kind: 'API key',
      refusal: 401,
      open: async (token) =>
        (await service.get('/api/account', { headers: { 'x-api-key': token } })).status,
    },
    '/magic_link': {
      kind: 'sign-in link',
      refusal: 422,
      open: form('/auth/magic_link', 'refresh_token'),
    },
    '/magic_link at an application': {
      kind: 'sign-in link',
      refusal: 422,
      async open(refresh_token) {
        const browser = newBrowser(service)
        await browser.open(application.at())
        const sendAnswer = await browser.send(application.at({}, '/magic_link'), { refresh_token })
        return sendAnswer.status
      },
    },
    '/first_password': {
      kind: 'first password',
      refusal: 422,
      open: form('/auth/first_password/skip', 'token'),
    },
    '/confirm_email': {
      kind: 'confirmation link',
      refusal: 422,
      open: form('/auth/confirm_email', 'token'),
    },
    '/change_email': {
      kind: 'address change link',
      refusal: 422,
      open: form('/auth/change_email', 'token'),
    },
    '/reset_password': {
      kind: 'reset link',
      refusal: 422,
      open: form('/auth/reset_password', 'token'),
    },
    'the cookie of /authorize': {
      kind: 'authorization cookie',
      refusal: 401,
      open: asCookie,
    },
    '/token, for a code': {
      kind: 'authorization code',
      refusal: 400,
      open: async (code) => (await application.exchange(code)).status,
    },
    '/token, to refresh': {
      kind: 'refresh token of an application',
      refusal: 400,
      open: async (token) => (await application.refresh(token)).status,
    },
    '/token, as a secret': {
      kind: 'secret of an application',
      refusal: 401,
      // An invalid code: an admitted caller gets the error about it.
      open: async (client_secret) => {
        const { client_id } = application
        const body = { grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret }
        return (await application.send('/token', body)).status
      },
    },
  }

/** Access tokens have one form: the refusal concerns their holder or their scopes. */
const otherwise: Partial<Record<Kind, Record<string, number>>> = {
  'access token': { 'GET /emoji_id': 200, 'POST /account/2fa/sms_code': 422 },
  'access token that owes a code': { 'GET /account': 403, 'GET /emoji_id': 403 },
  'access token of an application': { 'GET /account': 403, 'POST /account/2fa/sms_code': 403 },
}
/** The secret of another application is rejected here. */
const isOfAnother = (kind: Kind) => kind === 'secret of an application'
const otherPlaces = [
  (token: string) => ({
    cookie: `__Host-svc_auth=${token}; __Host-svc_browser=${token}; session=${token}`,
  }),
  (token: string) => ({ authorization: `Basic ${btoa(`${token}:`)}` }),
  (token: string) => ({ authorization: token }),
]

describe('a token of one kind (T33)', () => {
  it.each(kinds)('%s is rejected everywhere else, and still works afterwards', async (kind) => {
    const token = await issue[kind]()
    expect(token).not.toBe('')
    for (const [name, { kind: own, refusal, open }] of Object.entries(doors)) {
      if (own === kind && !isOfAnother(kind)) continue
      const expected = otherwise[kind]?.[name] ?? refusal
      expect([name, await open(token)]).toEqual([name, expected])
    }
    for (const headers of otherPlaces) {
      const tokenHeaders = headers(token)
      expect([
        tokenHeaders,
        (await service.get('/api/account', { headers: tokenHeaders })).status,
      ]).toEqual([tokenHeaders, 401])
    }
    const [door] = Object.values(doors).filter(({ kind: own }) => own === kind)
    if (door && !isOfAnother(kind)) {
      expect([200, 303]).toContain(await door.open(token))
    }
  })
})
