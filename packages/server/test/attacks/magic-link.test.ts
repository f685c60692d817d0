import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  as,
  confirmed,
  goodPassword,
  type MailedService,
  mailedService,
  newEmail,
  press,
  register,
  submit,
  type Tokens,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'

let service: MailedService
beforeAll(async () => {
  service = await mailedService({ env: { MAGIC_LINK_SECONDS: '120' } })
})
afterAll(() => service.close())

const ask = (body: object) => service.post('/api/auth/magic_link', body)
const reset = (body: object) => service.post('/api/auth/password_reset', body)
const subjectsTo = (email: string) => service.mailsTo(email).map(({ subject }) => subject)

/** Signs in by link and goes on without a password. */
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

describe('asking for a link', () => {
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
  const firstLink = 'Confirm your e-mail address and sign in'
  const cases: Case[] = [
    { name: 'nobody', make: async () => ({ email: newEmail() }), mails: [] },
    {
      name: 'somebody without a password',
      make: () => register(service, { password: null }),
      mails: [firstLink, firstLink],
    },
    {
      name: 'somebody without a password, by id',
      async make() {
        const { id, email } = await register(service, { password: null })
        return { email, ask: { user_id: id } }
      },
      mails: [firstLink, firstLink],
    },
    {
      name: 'an unconfirmed address with a password',
      make: () => register(service),
      mails: ['Confirm your e-mail address', 'Confirm your e-mail address'],
    },
    {
      name: 'a confirmed address with a password',
      make: () => confirmed({}),
      mails: ['Confirm your e-mail address'],
    },
    {
      name: 'somebody who was deactivated',
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
      name: 'an id of nobody',
      make: async () => ({ email: '', ask: { user_id: randomUUID() } }),
      mails: [],
    },
  ]

  it.each(cases)('is answered alike for $name; only who may have one gets it', async (one) => {
    const { email, ask: body = { email } } = await one.make()
    const [answer, unknown] = [await ask(body), await ask({ email: newEmail() })]
    await service.settle()

    expect([answer.status, answer.body]).toEqual([200, unknown.body]) // T16
    expect(answer.json()).toMatchObject({ status: 'Active' })
    expect(subjectsTo(email)).toEqual(one.mails)
  })

  it('reaches the address as it was registered, whatever its case', async () => {
    const email = `Mixed.Case-${randomUUID()}@example.com`
    await register(service, { email, password: null })
    await ask({ email: email.toUpperCase() })
    await service.mailTo(email, 2)
    await service.settle()
    expect(service.mailsTo(email.toUpperCase())).toEqual([])
  })

  // T16: how long both take is measured by stress/login-timing.ts.
  it('is answered without reading who has an account: a job does that later', async () => {
    const { email } = await register(service, { password: null })
    const answers = await service.db.transaction().execute(async (trx) => {
      await sql`lock table users in access exclusive mode`.execute(trx)
      return [await ask({ email }), await reset({ email }), await ask({ email: newEmail() })]
    })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    await service.mailTo(email, 3)
  })

  it('20 times mails at most 5', async () => {
    const { email } = await register(service, { password: null })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ email })))
    await service.settle()

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200])) // T28
    expect(service.mailsTo(email)).toHaveLength(5)
    const pressed: number[] = []
    for (const count of [1, 2, 3, 4, 5]) {
      pressed.push((await press(service, await service.linkTo(email, count))).status)
    }
    // Mails overtake one another, but the newest link alone works.
    expect(pressed.sort()).toEqual([200, 422, 422, 422, 422])
    service.clock.advance(10 * 60_000)
    await ask({ email })
    await service.mailTo(email, 6)
  })

  it('20 times for a new password mails at most 5', async () => {
    const { email } = await register(service)
    const answers = await Promise.all(Array.from({ length: 20 }, () => reset({ email })))
    await service.settle()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(service.mailsTo(email)).toHaveLength(1 + 5)
  })
})

describe('a mailbox with many addresses', () => {
  it('gets mails for few new accounts, and others are not held up', async () => {
    const name = `v-${randomUUID()}`
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        service.post('/api/users', {
          email: `${n % 2 ? name : name.toUpperCase()}+${n}@Example.com`,
        }),
      ),
    )
    const refused = made.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(15)
    expect(refused[0]?.json()['code']).toBe('too_many_mails')
    expect((await service.post('/api/users', { email: newEmail() })).status).toBe(200)
    service.clock.advance(60 * 60_000 + 1_000)
    expect((await service.post('/api/users', { email: `${name}@example.com` })).status).toBe(200)
  })

  it('gets five links, whichever of its addresses they are asked for', async () => {
    const name = `v-${randomUUID()}`
    const addresses = ['', '+a', '+b', '+C'].map((tag) => `${name}${tag}@example.com`)
    for (const email of addresses) await register(service, { email })
    await service.settle()
    const answers = await Promise.all(
      [...addresses, ...addresses, ...addresses, `${name}+nobody@example.com`].map((email) =>
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
  it('sets no first password for who has a second factor', async () => {
    const person = await confirmed(service)
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
    const fields = { token, password: 'a password nobody guesses' }
    const set = await submit(service, '/auth/first_password', fields)
    expect([set.status, set.body.includes('second factor')]).toEqual([422, true])
    expect((await submit(service, '/auth/first_password/skip', { token })).status).toBe(303)
  })

  it('is good for nothing once there is a password, and none is mailed any more', async () => {
    const { email } = await register(service, { password: null })
    const tokens = await tokensAfter(await signIn(email))
    await ask({ email })
    const link = await service.linkTo(email, 2)
    const set = await as(service, tokens).patch('/api/account', { password: goodPassword })
    expect(set.status).toBe(200)

    expect((await service.get(link)).status).toBe(422) // T17
    expect((await press(service, link)).status).toBe(422)
    expect((await ask({ email })).status).toBe(200)
    await service.settle()
    expect(subjectsTo(email).filter((subject) => /sign[ -]in/.test(subject ?? ''))).toHaveLength(2)
  })

  it('is over after the time that was set', async () => {
    const { email } = await register(service, { password: null })
    const link = await service.linkTo(email)
    service.clock.advance(120_000)
    expect((await press(service, link)).status).toBe(422) // T20
  })

  it('is void once there is a newer one', async () => {
    const { email } = await register(service, { password: null })
    const older = await service.linkTo(email)
    await ask({ email })
    const newer = await service.linkTo(email, 2)
    expect((await press(service, older)).status).toBe(422)
    expect((await press(service, newer)).status).toBe(200)
    expect((await press(service, older)).status).toBe(422)
  })
})
