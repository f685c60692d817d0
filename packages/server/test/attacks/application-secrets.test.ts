import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ApplicationTokens,
  basic,
  chooseId,
  newApplication,
  newBrowser,
  pkceChallenge,
  verifier,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import {
  bearer,
  confirmedUser,
  type MailedService,
  mailedService,
  registerAs,
} from '../support/people.ts'
import { dumpOf, newSecrets } from '../support/secrets.ts'

/** Its own: a shared database grows with every test file, and each dump reads all of it. */
let service: MailedService
beforeAll(async () => {
  service = await mailedService()
})
afterAll(() => service.close())

it('the database and the log hold no secret after a login at an application (T112, T114)', async () => {
  const { keep, keepToken, findIn, size } = newSecrets()
  const dumps: string[] = []
  const look = async () => void dumps.push(await dumpOf(service))
  const keepTokens = ({ access_token, refresh_token }: ApplicationTokens) => {
    keep('access token', access_token)
    keep('signature', access_token.split('.')[2] ?? '')
    keepToken('refresh token', refresh_token)
  }
  const admin = await registerAs(service, 'Super')
  const application = await newApplication(service, admin)
  const { client_id, client_secret } = application
  keepToken('client secret', client_secret)
  const once = { 'idempotency-key': 'once', ...bearer(admin.tokens.access_token).headers }
  const path = `/api/admin/oauth_clients/${client_id}/secrets`
  const second = (await service.post(path, undefined, { headers: once })).json()
  keepToken('client secret', String(second['client_secret']))
  await look()

  const person = await confirmedUser(service)
  const id = await grant(admin, { user_id: person.id })
  const browser = newBrowser(service)
  const page = await browser.open(application.at(pkceChallenge))
  keep('form token', /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? '')
  keepToken('browser cookie', browser.name())
  await browser.send(application.at(pkceChallenge, '/authorize/link'), { email: person.email })
  const link = await service.linkTo(person.email, 2)
  keepToken('link', new URL(link, service.address).searchParams.get('refresh_token') ?? '')
  await look()
  await browser.open(link)
  keepToken('cookie', browser.handle() ?? '')
  await look()
  const password = 'the first passw0rd of Anna'
  keep('password', password)
  await browser.send(application.at(pkceChallenge, '/authorize/first_password'), { password })
  keepToken('cookie', browser.handle() ?? '')

  const code = await chooseId(browser, application, id, pkceChallenge)
  keep('code', code)
  keep('signature of the code', code.split('.')[2] ?? '')
  keep('verifier', verifier)
  await look()
  const wrong = await application.exchange(code, { code_verifier: `${verifier}x` })
  expect(wrong.status).toBe(400)
  const exchangedAnswer = await application.exchange(code, { code_verifier: verifier })
  expect(exchangedAnswer.status).toBe(200)
  const tokens = exchangedAnswer.json<ApplicationTokens>()
  keepTokens(tokens)
  await look()
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const header = basic(client_id, client_secret)
  const refreshedTokens = (await application.send('/token', form, header)).json<ApplicationTokens>()
  keepTokens(refreshedTokens)
  const guess = 'sec_a guess of a secret'
  keep('wrong secret', guess)
  expect((await application.exchange(code, { client_secret: guess })).status).toBe(401)
  await look()
  await application.revoke(refreshedTokens.refresh_token)
  await browser.send(application.at({}, '/authorize/leave'), {})
  await service.settle()
  await look()

  // Control: the search finds names in the tables and paths in the log.
  for (const text of dumps) expect(text).toContain(client_id)
  const log = service.logged.join('\n')
  expect(log).toContain('/auth/token')
  expect(size()).toBe(18)
  expect(dumps.flatMap(findIn)).toEqual([])
  expect(findIn(log)).toEqual([])
})
