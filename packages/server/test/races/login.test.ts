import { beforeAll, describe, expect, it } from 'vitest'
import { runInLockOrder } from '../support/in-line.ts'
import { fieldsOf } from '../support/mailed-links.ts'
import {
  callsWith,
  goodPassword,
  type MailedService,
  type Person,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const password = 'the next password of theirs'
const logIn = ({ email }: Person) =>
  service.post('/api/auth/token', { email, password: goodPassword })

describe('a login whose password was just checked', () => {
  /** Prepared changes to a user, to run at a chosen moment. */
  const events: Record<string, (person: Person) => Promise<() => ReturnType<typeof logIn>>> = {
    'the password was changed': async ({ patch }) => {
      return () => patch('/api/account', { password, current_password: goodPassword })
    },
    'the password was reset': async ({ email }) => {
      await service.mailTo(email)
      await service.post('/api/auth/password_reset', { email })
      const fields = fieldsOf(await service.linkTo(email, 2))
      return () => submit(service, '/auth/reset_password', { ...fields, password })
    },
    'the owner of the mailbox said "this was not me"': async ({ email }) => {
      const fields = fieldsOf(await service.linkTo(email))
      return () => submit(service, '/auth/confirm_email/disown', fields)
    },
    'the account was deactivated': async ({ id }) => {
      return () => admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'stolen' })
    },
    'the account was deleted': async ({ id }) => {
      return () => admin.delete(`/api/users/${id}`)
    },
  }

  it.each(Object.entries(events))('%s: the login is refused', async (_name, prepare) => {
    const person = await register(service)
    const event = await prepare(person)
    const [changeAnswer, login] = await runInLockOrder(service, person.id, event, () =>
      logIn(person),
    )

    expect(changeAnswer?.status).toBe(200)
    expect([login?.status, login?.json()['code']]).toEqual([401, 'wrong_credentials'])
  })
})

describe('the tokens that come with a new password', () => {
  it('the tokens that come with a new password are void after a concurrent "this was not me" of the mailbox owner', async () => {
    const attacker = await register(service)
    const fields = fieldsOf(await service.linkTo(attacker.email))
    const [changeAnswer, disownedAnswer] = await runInLockOrder(
      service,
      attacker.id,
      () => attacker.patch('/api/account', { password, current_password: goodPassword }),
      () => submit(service, '/auth/confirm_email/disown', fields),
    )
    expect([changeAnswer?.status, disownedAnswer?.status]).toEqual([200, 200])
    const tokens = changeAnswer?.json<{ token_response: Tokens }>().token_response
    const account = await callsWith(service, tokens ?? { access_token: '' }).get('/api/account')
    expect(account.status).toBe(401)
  })
})

describe('the code after a sign-in link', () => {
  /** A user without a password, with a session and with a code for another one. */
  async function arriveTwice() {
    const { id, email } = await register(service, { password: null })
    const arrive = async (count: number) => {
      const choice = await press(service, await service.linkTo(email, count))
      const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
      const next = await submit(service, '/auth/first_password/skip', { token })
      return new URL(next.headers.get('location') ?? '').searchParams.get('code')
    }
    const first = await service.post('/api/auth/exchange', { code: await arrive(1) })
    await service.post('/api/auth/magic_link', { email })
    const code = await arrive(2)
    const exchange = () => service.post('/api/auth/exchange', { code })
    return { id, exchange, ...callsWith(service, first.json<Tokens>()) }
  }

  it('the code after a sign-in link is void once a password is set, and neither blocks the other', async () => {
    const { id, exchange, patch } = await arriveTwice()
    const set = () => patch('/api/account', { password })
    const [changeAnswer, exchangedAnswer] = await runInLockOrder(service, id, set, exchange)

    expect(changeAnswer?.status).toBe(200)
    expect([exchangedAnswer?.status, exchangedAnswer?.json()['code']]).toEqual([
      401,
      'expired_code',
    ])
  })

  it('the code after a sign-in link is void for a user deactivated just before', async () => {
    const { id, exchange } = await arriveTwice()
    const shutOut = () => admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'stolen' })
    const [suspensionAnswer, exchangedAnswer] = await runInLockOrder(service, id, shutOut, exchange)

    expect(suspensionAnswer?.status).toBe(200)
    expect(exchangedAnswer?.status).toBe(401)
  })
})
