import { beforeAll, describe, expect, it } from 'vitest'
import { insertOwnedId, newId } from '../support/ids.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import {
  goodPassword,
  later,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  register,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

type Account = { user: { email: string; email_verified_at: string | null } }
const accountOf = async ({ get }: Pick<Person, 'get'>) =>
  (await get('/api/account')).json<Account>().user
const attempt = (email: string, password = goodPassword) =>
  service.post('/api/auth/token', { email, password })
const subjectsTo = (email: string) => service.mailsTo(email).map(({ subject }) => subject)

const confirmedOne = () => newcomer(service, { password: goodPassword, isVerified: true })

/** A user with a confirmed address who requested another one. */
async function askForChange() {
  const person = await confirmedOne()
  const email = newEmail()
  const changeResponse = await person.patch('/api/account', {
    email,
    current_password: goodPassword,
  })
  expect(changeResponse.status).toBe(200)
  return { person, email, link: await service.linkTo(email) }
}

describe('a new email address', () => {
  it('a new email address takes effect once its mailbox confirms it, and the old one is notified both times and loses its links', async () => {
    const { person, email, link } = await askForChange()
    expect((await accountOf(person)).email).toBe(person.email) // T67
    expect((await attempt(email)).status).toBe(401)
    expect((await attempt(person.email)).status).toBe(200)
    const page = await service.get(link)
    expect(page.body).toContain(`<strong>${person.email}</strong>`)
    expect(page.body).not.toContain('loses its old password')

    await service.mailTo(person.email, 1)
    await service.post('/api/auth/password_reset', { email: person.email })
    const reset = await service.linkTo(person.email, 2)
    service.clock.advance(1_000)
    const confirmationStart = service.clock.now()
    expect((await press(service, link)).status).toBe(200)
    // The requesting session ends too: it may be an intruder's.
    expect((await person.get('/api/account')).status).toBe(401)
    const { email: now, email_verified_at } = await accountOf(
      await logIn(service, { email, password: goodPassword }),
    )
    expect(now).toBe(email)
    expect(new Date(email_verified_at ?? 0).getTime()).toBeGreaterThanOrEqual(
      confirmationStart.getTime(),
    )
    expect((await attempt(email)).status).toBe(200)
    expect((await attempt(person.email)).status).toBe(401)
    const password = 'chosen by another user'
    expect((await press(service, reset, undefined, { password })).status).toBe(422)

    await service.settle()
    expect(subjectsTo(person.email)).toEqual([
      'A change of your email address was requested',
      'Set a new password',
      'Your email address was changed',
    ])
    expect(subjectsTo(email)).toEqual(['Confirm your new email address'])
  })

  it('a new email address cannot be requested without the password, or if another account has it in any letter case', async () => {
    const [person, other] = [await confirmedOne(), await newcomer(service)]
    const email = newEmail()
    for (const credentials of [{}, { current_password: 'not the right one' }]) {
      const answer = await person.patch('/api/account', { email, ...credentials })
      expect([answer.status, answer.json()['code']]).toEqual([422, 'wrong_password'])
    }
    const change = { email: other.email.toUpperCase(), current_password: goodPassword }
    const changeResponse = await person.patch('/api/account', change)
    expect(changeResponse.status).toBe(422)
    expect(changeResponse.json()).toMatchObject({ fields: { email: [{ code: 'uniqueness' }] } })
    await service.settle()
    expect(service.mailsTo(email)).toEqual([])
  })

  it('a new email address is rejected if another account took it meanwhile, and both keep theirs', async () => {
    const { person, email, link } = await askForChange()
    const other = await register(service, { email: email.toUpperCase() })
    expect((await press(service, link)).status).toBe(422)
    expect((await accountOf(person)).email).toBe(person.email)
    expect((await accountOf(other)).email).toBe(other.email)
  })

  it('a new email address is void when another one is requested, and withdrawn by sending the current address', async () => {
    const { person, link } = await askForChange()
    const email = newEmail()
    await person.patch('/api/account', { email, current_password: goodPassword })
    const newer = await service.linkTo(email)
    expect((await press(service, link)).status).toBe(422)
    expect((await service.get(newer)).status).toBe(200)
    const change = { email: person.email.toUpperCase() }
    expect((await person.patch('/api/account', change)).status).toBe(200)
    const mine = (await person.get('/api/account')).json<{
      user: { pending_email: string | null }
    }>()
    expect(mine.user.pending_email).toBeNull()
    expect((await press(service, newer)).status).toBe(422)
    expect((await attempt(person.email)).status).toBe(200)
  })

  it.each([
    {
      event: 'the password changes',
      happen: (person: Person) =>
        person.patch('/api/account', {
          password: 'the next password of theirs',
          current_password: goodPassword,
        }),
    },
    {
      event: 'the password is reset through the old mailbox',
      async happen({ email }: Person) {
        const before = service.mailsTo(email).length
        await service.post('/api/auth/password_reset', { email })
        const link = await service.linkTo(email, before + 1)
        return press(service, link, undefined, { password: 'the next password of theirs' })
      },
    },
  ])('a new email address is void when $event', async ({ happen }) => {
    const { person, email, link } = await askForChange()
    await service.settle()
    expect((await happen(person)).status).toBe(200)
    expect((await press(service, link)).status).toBe(422)
    expect((await attempt(email, 'the next password of theirs')).status).toBe(401)
    expect((await attempt(person.email, 'the next password of theirs')).status).toBe(200)
  })
})

describe('an attacker who never confirmed an address and requests that of the victim (T25)', () => {
  it('loses the password and the tokens when the victim confirms, and the victim is signed in', async () => {
    const thief = await register(service)
    const keyResponse = await thief.post('/api/api_keys', { name: 'key' })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    const victim = newEmail()
    const change = { email: victim, current_password: goodPassword }
    expect((await thief.patch('/api/account', change)).status).toBe(200)
    const link = await service.linkTo(victim)
    expect((await service.get(link)).body).toContain('loses its old password')
    expect((await press(service, link)).first?.headers.get('location')).toContain('/first_password')

    for (const email of [victim, thief.email]) expect((await attempt(email)).status).toBe(401)
    expect((await thief.get('/api/account')).status).toBe(401)
    expect((await service.get('/api/account', { headers })).status).toBe(401)
    const { refresh_token } = thief.tokens
    expect((await service.post('/api/auth/token/refresh', { refresh_token })).status).toBe(401)
    await service.post('/api/auth/password_reset', { email: victim })
    const password = 'what only the victim knows'
    await press(service, await service.linkTo(victim, 2), undefined, { password })
    expect((await attempt(victim, password)).status).toBe(200)
  })
})

describe('an account with neither password nor confirmed address', () => {
  const change = async ({ patch }: Pick<Person, 'patch'>) => {
    const answer = await patch('/api/account', { email: newEmail() })
    return [answer.status, answer.json()?.['code']]
  }

  it('changes its address with an old session while it owns nothing, because a mistyped one admits no sign-in', async () => {
    const person = await register(service, { password: null })
    expect((await change(await later(service, person.tokens)))[0]).toBe(200)
  })

  it.each([
    { owned: 'an id', own: ({ id }: Person) => insertOwnedId(service, id) },
    { owned: 'an order', own: ({ id }: Person) => insertPaidOrder(service, id, [newId()]) },
  ])(
    'an account with neither password nor confirmed address needs a recent sign-in for it once it owns $owned',
    async ({ own }) => {
      const person = await register(service, { password: null })
      await own(person)
      expect((await change(person))[0]).toBe(200)
      expect(await change(await later(service, person.tokens))).toEqual([403, 'old_login'])
    },
  )
})

describe('a new password', () => {
  it('a new password cannot be set without the current one, and is notified to the mailbox', async () => {
    const person = await confirmedOne()
    const password = 'the next password of theirs'
    for (const credentials of [
      {},
      { current_password: null },
      { current_password: 'not the right one' },
      { current_password: password },
    ]) {
      const change = await person.patch('/api/account', { password, ...credentials })
      expect([change.status, change.json()['code']]).toEqual([422, 'wrong_password'])
    }
    expect((await attempt(person.email)).status).toBe(200)
    expect((await person.get('/api/account')).status).toBe(200)
    await person.patch('/api/account', { password, current_password: goodPassword })
    const notice = await service.mailTo(person.email)
    expect(notice?.subject).toBe('Your password was changed')
    expect(notice?.text).not.toContain(password)
  })
})

describe('a mailbox that other users request', () => {
  it('a mailbox that other users request gets at most five emails, for any number of requests and accounts', async () => {
    const victim = newEmail()
    const people = [await register(service, { password: null }), await register(service)]
    const statuses: number[] = []
    for (const person of people) {
      for (let n = 0; n < 4; n++) {
        const email = n % 2 ? victim.replace('@', `+${n}@`) : victim.toUpperCase()
        const change = { email, current_password: goodPassword }
        statuses.push((await person.patch('/api/account', change)).status)
      }
    }
    await service.settle()

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    const name = victim.split('@')[0] ?? ''
    const to = service.sink.received.flatMap(({ envelope }) => envelope.to)
    expect(to.filter((one) => one.toLowerCase().startsWith(name))).toHaveLength(5)
    // These addresses are unconfirmed: they get no notice either.
    expect(service.mailsTo(people[0]?.email ?? '')).toHaveLength(1)
  })
})
