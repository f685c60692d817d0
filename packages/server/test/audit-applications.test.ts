import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type ApplicationTokens,
  adminAtAnyTime,
  newApplication,
  newBrowser,
  readRedirect,
  signIn,
  signInAtApplication,
} from './support/applications.ts'
import { grant } from './support/ids.ts'
import {
  confirmedUser,
  goodPassword,
  type MailedService,
  type Person,
  register,
  registerAs,
} from './support/people.ts'
import { enableApp } from './support/second-factor.ts'
import type { Answer } from './support/service.ts'
import { sharedMailedService } from './support/shared-service.ts'

let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await adminAtAnyTime(service)
  application = await newApplication(service, admin)
})

type Entry = { result: string; actor_id: string; request_id: string; details: object }
const entries = async (query: string) =>
  (await admin.get(`/api/admin/audit?${query}`)).json<{ data: Entry[] }>().data
const path = (rest = '') => `/api/admin/oauth_clients/${application.client_id}${rest}`

describe('the audit log of changes to applications by administrators (T115)', () => {
  type Deed = { answer: Answer; details: object }
  // Secrets and addresses are changed in sessions only.
  let person: Person
  beforeAll(async () => {
    person = await registerAs(service, 'Super')
  })
  const make = async () => {
    const createdApplication = await newApplication(service, admin)
    const at = `/api/admin/oauth_clients/${createdApplication.client_id}`
    return { ...createdApplication, at, details: { client_id: createdApplication.client_id } }
  }
  const acts: Record<string, () => Promise<Deed>> = {
    'application.changed': async () => {
      const { at, details } = await make()
      const answer = await person.patch(at, { name: 'Crab Talk' })
      return { answer, details: { ...details, name: 'Crab Talk' } }
    },
    'application.secret_made': async () => {
      const { at, details } = await make()
      return { details, answer: await person.post(`${at}/secrets`) }
    },
    'application.secret_deleted': async () => {
      const { at, details, secret_id } = await make()
      await person.post(`${at}/secrets`)
      const answer = await person.delete(`${at}/secrets/${secret_id}`)
      return { answer, details: { ...details, secret_id } }
    },
    'application.deleted': async () => {
      const { at, details } = await make()
      return { details, answer: await person.delete(at) }
    },
  }
  it.each(Object.entries(acts))(
    'the audit log of changes to applications by administrators (T115) has %s',
    async (event, act) => {
      const { answer, details } = await act()
      expect(answer.status).toBe(200)
      const [entry] = await entries(`event=${event}&actor_id=${person.id}`)
      const request_id = answer.headers.get('x-request-id')
      expect(entry).toMatchObject({ result: 'done', request_id, details })
    },
  )

  it('the audit log of changes to applications by administrators (T115) has application.created', async () => {
    const { details } = await make()
    const [entry] = await entries(`event=application.created&actor_id=${admin.id}`)
    expect(entry?.details).toMatchObject({ ...details, name: 'Crab Chat' })
    expect(JSON.stringify(await entries('event=application.created'))).not.toContain('sec_')
  })

  it('the audit log of changes to applications by administrators (T115) has no entry for a refused request', async () => {
    const before = await entries('event=application.changed')
    await admin.patch(path(), { redirect_uris: ['http://chat.example'] })
    expect(await entries('event=application.changed')).toEqual(before)
  })
})

describe('the audit log of sign-ins to applications (T115)', () => {
  type SignInDeed = { person: { id: string }; answer: Answer; result?: string }
  const enter = () => signInAtApplication(service, admin, application)
  const byLink = async () => {
    const person = await confirmedUser(service)
    const browser = newBrowser(service)
    await browser.open(application.at())
    await browser.send(application.at({}, '/authorize/link'), { email: person.email })
    const answer = await browser.open(await service.linkTo(person.email, 2))
    return { person, browser, answer }
  }
  const expectEntry = async (event: string, { person, answer, result = 'done' }: SignInDeed) => {
    const [entry] = await entries(`event=${event}&subject_id=${person.id}`)
    const request_id = answer.headers.get('x-request-id')
    expect(entry).toMatchObject({ result, request_id })
    const { client_id } = application
    if (/application/.test(event)) expect(entry?.details).toMatchObject({ client_id })
  }
  const acts: Record<string, () => Promise<SignInDeed>> = {
    'password.set': async () => {
      const { person, browser, answer } = await byLink()
      await expectEntry('login.link', { person, answer })
      await browser.open(application.at())
      const at = application.at({}, '/authorize/first_password')
      return { person, answer: await browser.send(at, { password: goodPassword }) }
    },
    'second_factor.given': async () => {
      const person = await register(service)
      const { app } = await enableApp(service, person)
      const browser = await signIn(service, application, person)
      await browser.open(application.at())
      const at = application.at({}, '/authorize/code')
      return { person, answer: await browser.send(at, { code: app.next() }) }
    },
    'application.reused, a code': async () => {
      const { person, code } = await enter()
      // Within a second a repeated exchange is a retry of the same client.
      service.clock.advance(2_000)
      return { person, answer: await application.exchange(code), result: 'refused' }
    },
    'application.reused, a refresh token': async () => {
      const { person, tokens } = await enter()
      await application.refresh(tokens.refresh_token)
      service.clock.advance(61_000)
      return { person, answer: await application.refresh(tokens.refresh_token), result: 'refused' }
    },
    'application.left, by the person': async () => {
      const { person } = await enter()
      const at = `/api/account/applications/${application.client_id}`
      return { person, answer: await person.delete(at) }
    },
    'application.left, by the application': async () => {
      const { person, tokens } = await enter()
      return { person, answer: await application.revoke(tokens.access_token) }
    },
  }
  it.each(Object.entries(acts))(
    'the audit log of sign-ins to applications (T115) has %s',
    async (name, act) => {
      const [event = ''] = name.split(', ')
      await expectEntry(event, await act())
    },
  )

  it('the audit log of sign-ins to applications (T115) has every step with a password: refused, signed in, allowed, exchanged and left', async () => {
    const person = await register(service)
    const svc = await grant(admin, { user_id: person.id })
    const browser = newBrowser(service)
    await browser.open(application.at())
    const enter = (password: string) =>
      browser.send(application.at({}, '/authorize/password'), { email: person.email, password })
    await expectEntry('login.password', { person, answer: await enter('wrong'), result: 'refused' })
    await expectEntry('login.password', { person, answer: await enter(goodPassword) })
    await browser.open(application.at())
    const choice = application.at({ svc, form_token: browser.formToken() })
    const answer = await browser.open(choice, { 'sec-fetch-site': 'same-origin' })
    await expectEntry('application.authorized', { person, answer })
    const exchangeAnswer = await application.exchange(readRedirect(answer).get('code') ?? '')
    await expectEntry('login.application', { person, answer: exchangeAnswer })
    await browser.open(application.at())
    const leaveAnswer = await browser.send(application.at({}, '/authorize/leave'), {})
    await expectEntry('session.ended', { person, answer: leaveAnswer })
  })

  it('the audit log of sign-ins to applications (T115) has one entry per action, without a code or token', async () => {
    const { person, code, tokens } = await enter()
    const next = (await application.refresh(tokens.refresh_token)).json<ApplicationTokens>()
    const all = await entries(`subject_id=${person.id}`)
    const text = JSON.stringify(all)
    for (const secret of [code, tokens.refresh_token, next.refresh_token, 'rs_', 'as_', 'eyJ']) {
      expect(text).not.toContain(secret)
    }
    const logins = await entries(`event=login.application&subject_id=${person.id}`)
    expect(logins).toHaveLength(1)
  })
})
