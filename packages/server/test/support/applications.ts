import { createHash } from 'node:crypto'
import { grant } from './ids.ts'
import {
  callsWith,
  goodPassword,
  type MailedService,
  newcomer,
  type Person,
  registerAs,
} from './people.ts'
import type { Answer, TestService } from './service.ts'

export type ApplicationTokens = {
  access_token: string
  refresh_token: string
  token_type: string
  type: string
  expires_in: number
  scope: string
}
export type Application = Awaited<ReturnType<typeof newApplication>>
export type Browser = ReturnType<typeof newBrowser>
type Fields = Record<string, string>
type Caller = Pick<Person, 'post'>

export const callbackUrl = 'https://chat.example/back'

/** The parameters of a request, and the verifier for the code. */
export const verifier = 'a-verifier-of-forty-three-characters-or-more~'
const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
export const pkceChallenge = {
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
}

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

/** An administrator who signs in for every call, so that a test can move the clock. */
export async function adminAtAnyTime(service: TestService): Promise<Person> {
  const person = await registerAs(service, 'Super')
  const calls = async () => callsWith(service, await service.openSession(person.id))
  return {
    ...person,
    get: async (path) => (await calls()).get(path),
    post: async (path, body) => (await calls()).post(path, body),
    patch: async (path, body) => (await calls()).patch(path, body),
    put: async (path, body) => (await calls()).put(path, body),
    delete: async (path) => (await calls()).delete(path),
  }
}

export async function newOrganization(admin: Caller): Promise<string> {
  const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
  return organizationResponse.json<{ id: string }>().id
}

/** An application of a new organization, with its calls. */
export async function newApplication(service: TestService, admin: Caller, change: object = {}) {
  const clientResponse = await admin.post('/api/admin/oauth_clients', {
    organization_id: await newOrganization(admin),
    name: 'Crab Chat',
    redirect_uris: [callbackUrl],
    ...change,
  })
  if (clientResponse.status !== 200) throw new Error(`Could not register: ${clientResponse.body}`)
  type CreatedClient = { client_id: string; client_secret: string; secrets: { id: string }[] }
  const { client_id, client_secret, secrets } = clientResponse.json<CreatedClient>()
  const own = { client_id, client_secret }
  const send = (path: string, form: Fields, headers: Fields = {}) =>
    service.call('POST', `/auth${path}`, {
      raw: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  return {
    ...own,
    secret_id: secrets[0]?.id ?? '',
    send,
    /** The URL that it redirects browsers to. */
    at: (more: Fields = {}, path = '/authorize') =>
      `/auth${path}?${new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri: callbackUrl,
        scope: 'svc',
        state: 'xyz',
        ...more,
      })}`,
    exchange: (code: string, more: Fields = {}) =>
      send('/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callbackUrl,
        ...own,
        ...more,
      }),
    refresh: (refresh_token: string, more: Fields = {}) =>
      send('/token', { grant_type: 'refresh_token', refresh_token, ...own, ...more }),
    revoke: (token: string) => send('/revoke', { token, ...own }),
  }
}

const formTokenIn = (page: Answer) => /name="form_token" value="([^"]+)"/.exec(page.body)?.[1]

/** Keeps cookies, and the hidden fields of the last page's forms. */
export function newBrowser(service: TestService, isFrom: Fields = {}) {
  const cookies = new Map<string, string>()
  let formToken = ''
  const take = (answer: Answer): Answer => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    formToken = formTokenIn(answer) ?? formToken
    return answer
  }
  const headersWith = (headers: Fields) => ({
    cookie: [...cookies].map((one) => one.join('=')).join('; '),
    ...isFrom,
    ...headers,
  })
  return {
    cookies,
    /** The hidden fields and links of the last page. */
    formToken: () => formToken,
    handle: () => cookies.get('__Host-svc_auth'),
    name: () => cookies.get('__Host-svc_browser') ?? '',
    open: async (path: string, headers: Fields = {}, method = 'GET') =>
      take(await service.call(method, path, { headers: headersWith(headers) })),
    /** Submits a form of the last page. */
    send: async (path: string, fields: Fields, headers: Fields = {}) =>
      take(
        await service.call('POST', path, {
          raw: new URLSearchParams({ form_token: formToken, ...fields }).toString(),
          headers: headersWith({
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
            ...headers,
          }),
        }),
      ),
  }
}

/** A browser in which a user signed in with a password. */
export async function signIn(
  service: TestService,
  application: Application,
  { email, password = goodPassword }: { email: string; password?: string },
): Promise<Browser> {
  const browser = newBrowser(service)
  await browser.open(application.at())
  const entryAnswer = await browser.send(application.at({}, '/authorize/password'), {
    email,
    password,
  })
  if (entryAnswer.status !== 303) throw new Error(`Could not sign in: ${entryAnswer.body}`)
  return browser
}

export async function askForLink(browser: Browser, application: Application, email: string) {
  await browser.open(application.at())
  return browser.send(application.at({}, '/authorize/link'), { email })
}

/**
 * A user without a password who requested a link in their browser. Their first email was the
 * welcome.
 */
export async function requestLink(service: MailedService, application: Application) {
  const person = await newcomer(service, { isVerified: true })
  // The first link of an account drops the earlier set-up.
  const set = { claimed_at: new Date() }
  await service.db.updateTable('users').set(set).where('id', '=', person.id).execute()
  const browser = newBrowser(service)
  await askForLink(browser, application, person.email)
  return { person, browser, link: await service.linkTo(person.email) }
}

/** The parts of a redirect URL. */
export const readRedirect = (answer: Answer): URLSearchParams & { place: string } => {
  const location = answer.headers.get('location') ?? ''
  const [place = '', query = ''] = location.split(/\?(.*)/s)
  return Object.assign(new URLSearchParams(query), { place })
}

/** Chooses an id on the selector. Returns the code. */
export async function chooseId(
  browser: Browser,
  application: Application,
  id: string,
  more: Fields = {},
): Promise<string> {
  if (browser.formToken() === '') await browser.open(application.at())
  const path = application.at({ svc: id, form_token: browser.formToken(), ...more })
  const answer = await browser.open(path, { 'sec-fetch-site': 'same-origin' })
  const code = readRedirect(answer).get('code')
  if (!code) throw new Error(`No code: ${answer.status} ${answer.headers.get('location')}`)
  return code
}

/** A user with an id who signed in at an application, and its tokens. */
export async function signInAtApplication(
  service: TestService,
  admin: Person,
  application: Application,
) {
  const person = await newcomer(service, { password: goodPassword })
  const id = await grant(admin, { user_id: person.id })
  const browser = await signIn(service, application, person)
  const code = await chooseId(browser, application, id)
  const answer = await application.exchange(code)
  if (answer.status !== 200) throw new Error(`Could not exchange: ${answer.body}`)
  return { person, id, browser, code, tokens: answer.json<ApplicationTokens>() }
}
