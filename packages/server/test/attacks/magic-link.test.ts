import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  callsWith,
  confirmedUser,
  goodPassword,
  type MailedService,
  newEmail,
  press,
  register,
  submit,
  type Tokens,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

const ask = (body: object) => service.post('/api/auth/magic_link', body)
const reset = (body: object) => service.post('/api/auth/password_reset', body)
const subjectsTo = (email: string) => service.mailsTo(email).map(({ subject }) => subject)

/** Signs in by link and continues without a password. */
async function signIn(email: string, count = 1) {
  const choice = await press(service, await service.linkTo(email, count))
  expect(choice.status).toBe(200)
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const next = await submit(service, '/auth/first_password/skip', { token })
  return new URL(next.headers.get('location') ?? '')
}
async function tokensAfter(place: URL) {
  const code = place.searchParams.get('code')
  return (await service.post('/api/auth/exchange', { code })).json<Tokens>()
}

describe('requesting a sign-in link', () => {
  const confirmed = async (members: object, change: object = {}) => {
    const person = await register(service, { ...members })
    const set = { email_verified_at: new Date(), ...change }
    await service.db.updateTable('users').set(set).where('id', '=', person.id).execute()
    return person
  }
  type Case = {
    name: string
    make: () => Promise<{ email: string; ask?: object }>
    mails: string[]
  }
  const firstLink = 'Confirm your email address and sign in'
  const cases: Case[] = [
    { name: 'an unknown address', make: async () => ({ email: newEmail() }), mails: [] },
    {
      name: 'a user without a password',
      make: () => register(service, { password: null }),
      mails: [firstLink, firstLink],
    },
    {
      name: 'a user without a password, by id',
      async make() {
        const { id, email } = await register(service, { password: null })
        return { email, ask: { user_id: id } }
      },
      mails: [firstLink, firstLink],
    },
    {
      name: 'an unconfirmed address with a password',
      make: () => register(service),
      mails: ['Confirm your email address', 'Confirm your email address'],
    },
    {
      name: 'a confirmed address with a password',
      make: () => confirmed({}),
      mails: ['Confirm your email address', 'Sign in with your password'],
    },
    {
      name: 'a deactivated user',
      make: () => confirmed({ password: null }, { deactivated_at: new Date() }),
      mails: [firstLink],
    },
    {
      name: 'an alternate id, by id',
      async make() {
        const members = { email: null, alternate_id: randomUUID(), source: 'test' }
        const { id } = await register(service, members)
        return { email: '', ask: { user_id: id } }
      },
      mails: [],
    },
    {
      name: 'an id without an owner',
      make: async () => ({ email: '', ask: { user_id: randomUUID() } }),
      mails: [],
    },
  ]

  it('requesting a sign-in link gets the same response for every user and address; only an eligible user gets a mail', async () => {
    const unknown = await ask({ email: newEmail() })
    expect(unknown.json()).toMatchObject({ status: 'Active' })
    const emails: string[] = []
    for (const { name, make } of cases) {
      const { email, ask: body = { email } } = await make()
      const answer = await ask(body)
      expect([name, answer.status, answer.body]).toEqual([name, 200, unknown.body]) // T16
      emails.push(email)
    }
    await service.settle()
    const sent = cases.map(({ name }, nth) => [name, subjectsTo(emails[nth] ?? '')])
    expect(sent).toEqual(cases.map(({ name, mails }) => [name, mails]))
  })

  it('emails the address as registered, in any letter case', async () => {
    const email = `Mixed.Case-${randomUUID()}@example.com`
    await register(service, { email, password: null })
    await ask({ email: email.toUpperCase() })
    await service.mailTo(email, 2)
    await service.settle()
    expect(service.mailsTo(email.toUpperCase())).toEqual([])
  })

  // T16: stress/login-timing.ts measures the time of both.
  it('responds without reading the account; a job reads it later', async () => {
    const { email } = await register(service, { password: null })
    const answers = await service.db.transaction().execute(async (trx) => {
      await sql`lock table users in access exclusive mode`.execute(trx)
      return [await ask({ email }), await reset({ email }), await ask({ email: newEmail() })]
    })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    await service.mailTo(email, 3)
  })

  it('8 times sends at most 5 emails', async () => {
    const { email } = await register(service, { password: null })
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ email })))
    await service.settle()

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200])) // T28
    expect(service.mailsTo(email)).toHaveLength(5)
    const pressed: number[] = []
    for (const count of [1, 2, 3, 4, 5]) {
      pressed.push((await press(service, await service.linkTo(email, count))).status)
    }
    // Mails overtake one another, but only the newest link works.
    expect(pressed.sort()).toEqual([200, 422, 422, 422, 422])
    service.clock.advance(10 * 60_000)
    await ask({ email })
    await service.mailTo(email, 6)
  })

  it('8 times for a new password sends at most 5 emails', async () => {
    const { email } = await register(service)
    const answers = await Promise.all(Array.from({ length: 8 }, () => reset({ email })))
    await service.settle()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(service.mailsTo(email)).toHaveLength(1 + 5)
  })
})

describe('POST /auth/magic_link for an account with a password', () => {
  const withPassword = () => confirmedUser(service, { password: goodPassword })

  it('emails the way to the sign-in and to a reset, and signs in by neither', async () => {
    const person = await withPassword()
    await service.mailTo(person.email)
    await ask({ email: person.email, redirect: '/account/ids' })
    const { text = '' } = (await service.mailTo(person.email, 2)) ?? {}
    expect(text).toContain('Your account has a password')
    expect(text).toContain(`${service.webUrl}/sign-in?next=%2Faccount%2Fids`)
    expect(text).not.toMatch(/magic_link|refresh_token|code=/)
    expect(text).toContain(`${service.webUrl}/sign-in?view=reset`)
    expect(text).not.toContain('/auth/')
    expect((await person.get('/api/account')).status).toBe(200)
  })

  it('POST /auth/magic_link for an account with a password leaves the owner’s own reset link valid, and the limit of resets unused', async () => {
    const { email } = await withPassword()
    await reset({ email })
    const link = await service.linkTo(email, 2)
    for (let n = 0; n < 6; n++) await ask({ email })
    await service.settle()
    const before = service.mailsTo(email).length
    const password = 'the next password of theirs'
    expect((await press(service, link, undefined, { password })).status).toBe(200)
    await service.settle()
    await reset({ email })
    await service.settle()
    const newer = subjectsTo(email).slice(before)
    expect(newer).toContain('Set a new password')
  })

  it('names the password and the reset if the address is not confirmed', async () => {
    const { email } = await register(service)
    expect((await service.mailTo(email))?.text).not.toContain('view=reset')
    await ask({ email })
    const { text = '' } = (await service.mailTo(email, 2)) ?? {}
    expect(text).toContain('Your account has a password, so sign in with it')
    expect(text).toContain(`${service.webUrl}/sign-in?view=reset`)
    expect((await press(service, await service.linkTo(email, 2))).status).toBe(200)
  })

  it('refuses a redirect with a partner’s token, plain or inside another page', async () => {
    const { email } = await withPassword()
    await service.mailTo(email)
    const visit = '/partner/demo?refresh_token=rt_x'
    const once = encodeURIComponent(visit)
    const more = '/partner/demo/link-email?addresses=0x1003%3Dx'
    for (const redirect of [
      visit,
      '/partner/demo?refresh%5Ftoken=rt_x',
      `/sign-in?next=${once}`,
      `/sign-in?next=${encodeURIComponent(once)}`,
      `/sign-in?next=${encodeURIComponent(more)}`,
    ]) {
      const answer = await ask({ email, redirect })
      expect([redirect, answer.status]).toEqual([redirect, 400])
      expect(answer.json()['code']).toBe('invalid_redirect')
    }
    await service.settle()
    expect(service.mailsTo(email)).toHaveLength(1)
  })

  it('emails no addresses of a partner’s link, for any account', async () => {
    const redirect =
      '/partner/wallet/link-email?continue=1&addresses=0x1003%3Dx&eid=x&address%5Fjson=e30'
    const returnPath = '/partner/wallet/link-email?continue=1&eid=x'
    const { email } = await withPassword()
    await service.mailTo(email)
    await ask({ email, redirect })
    const { text = '' } = (await service.mailTo(email, 2)) ?? {}
    expect(text).toContain(service.webUrl + returnPath)
    expect(text).not.toMatch(/addresses|address(_|%5F)json/)

    const other = await register(service, { password: null })
    await service.mailTo(other.email)
    await ask({ email: other.email, redirect })
    const { pathname, search } = await signIn(other.email, 2)
    expect(pathname + search.replace(/&code=.*$/, '')).toBe(returnPath)
  })

  it('8 times sends at most 5 emails', async () => {
    const { email } = await withPassword()
    await Promise.all(Array.from({ length: 8 }, () => ask({ email })))
    await service.settle()
    expect(service.mailsTo(email)).toHaveLength(1 + 5)
  })
})

describe('a mailbox with many addresses', () => {
  it('a mailbox with many addresses gets emails for few new accounts, without delaying other mailboxes', async () => {
    const name = `v-${randomUUID()}`
    const newAccounts = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        service.post('/api/users', {
          email: `${n % 2 ? name : name.toUpperCase()}+${n}@Example.com`,
        }),
      ),
    )
    const refusals = newAccounts.filter(({ status }) => status === 429)
    expect(refusals).toHaveLength(3)
    expect(refusals[0]?.json()['code']).toBe('too_many_mails')
    expect((await service.post('/api/users', { email: newEmail() })).status).toBe(200)
    service.clock.advance(60 * 60_000 + 1_000)
    expect((await service.post('/api/users', { email: `${name}@example.com` })).status).toBe(200)
  })

  it('a mailbox with many addresses gets five links over all its addresses', async () => {
    const name = `v-${randomUUID()}`
    const addresses = ['', '+a', '+b', '+C'].map((tag) => `${name}${tag}@example.com`)
    for (const email of addresses) await register(service, { email })
    await service.settle()
    const answers = await Promise.all(
      [...addresses, ...addresses, ...addresses, `${name}+unknown@example.com`].map((email) =>
        reset({ email }),
      ),
    )
    await service.settle()
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    const mails = addresses.map((email) => service.mailsTo(email).length - 1)
    expect(mails.reduce((sum, one) => sum + one)).toBe(5)
  })
})

describe('a sign-in link', () => {
  it('a sign-in link cannot set a first password for a user with a second factor', async () => {
    const person = await confirmedUser(service)
    await enableApp(service, person)
    await service.db
      .updateTable('users')
      .set({ claimed_at: new Date() })
      .where('id', '=', person.id)
      .execute()
    await service.post('/api/auth/magic_link', { email: person.email })
    const page = await press(service, await service.linkTo(person.email, 3))
    expect(page.body).not.toContain('type="password"')
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.body) ?? []
    const fields = { token, password: 'a password hard to guess' }
    const set = await submit(service, '/auth/first_password', fields)
    expect([set.status, set.body.includes('second factor')]).toEqual([422, true])
    expect((await submit(service, '/auth/first_password/skip', { token })).status).toBe(303)
  })

  it('a sign-in link is void once a password is set, and no more are emailed', async () => {
    const { email } = await register(service, { password: null })
    const tokens = await tokensAfter(await signIn(email))
    await ask({ email })
    const link = await service.linkTo(email, 2)
    const set = await callsWith(service, tokens).patch('/api/account', { password: goodPassword })
    expect(set.status).toBe(200)

    expect((await service.get(link)).status).toBe(422) // T17
    expect((await press(service, link)).status).toBe(422)
    expect((await ask({ email })).status).toBe(200)
    await service.settle()
    expect(subjectsTo(email).filter((subject) => /sign[ -]in/.test(subject ?? ''))).toHaveLength(2)
  })
})
