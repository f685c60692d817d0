import { beforeAll, describe, expect, it } from 'vitest'
import {
  callsWith,
  goodPassword,
  type MailedService,
  newEmail,
  type Person,
  press,
  registerAs,
  type Tokens,
} from '../support/people.ts'
import { enableApp, enterCode } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const reason = 'Came to our desk with a passport'
const keyOf = async (maker: Pick<Person, 'post'>) => {
  const keyResponse = await maker.post('/api/api_keys', {
    name: 'a key',
    scopes: ['user:activate'],
  })
  return { headers: { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key } }
}
type Entry = { actor_id: string; details: Record<string, unknown> }
const findAuditEntries = async (event: string, subject_id: string) => {
  const page = await admin.get(`/api/admin/audit?event=${event}&subject_id=${subject_id}`)
  return page.json<{ data: Entry[] }>().data
}
const userWith = async (email: string) => {
  const searchResponse = await admin.get(`/api/users?q=${encodeURIComponent(email)}`)
  type User = { id: string; email_verified_at: string | null }
  return searchResponse.json<{ data: User[] }>().data[0]
}

describe('confirming the address of another user (activate)', () => {
  it('requires a session and, with a second factor, a fresh code', async () => {
    const operator = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, operator)
    const key = await keyOf(operator)
    await service.db
      .updateTable('sessions')
      .set({ second_factor_at: new Date(0) })
      .where('user_id', '=', operator.id)
      .execute()
    const email = newEmail()
    const body = { email, password: goodPassword, activate: true }
    const stale = await operator.post('/api/users', body)
    expect([stale.status, stale.json()['code']]).toEqual([424, 'two_factor_required'])
    const byKey = await service.post('/api/users', body, key)
    expect([byKey.status, byKey.json()['code']]).toEqual([403, 'not_for_keys'])
    expect(await userWith(email)).toBeUndefined()

    const bareBody = { ...body, email: newEmail(), activate: false }
    expect((await operator.post('/api/users', bareBody)).status).toBe(200)
    const nameless = { alternate_id: newEmail(), password: goodPassword, activate: true }
    expect((await operator.post('/api/users', nameless)).status).toBe(200)
    const fresh = await enterCode(service, operator.tokens, app.next())
    expect((await fresh.post('/api/users', body)).status).toBe(200)
    expect((await userWith(email))?.email_verified_at).toEqual(expect.any(String))
  })

  it('accepts keys of programs, and is audited with actor and reason', async () => {
    const bot = await registerAs(service, 'Bot')
    const email = newEmail()
    const body = { email, password: goodPassword, activate: true, reason }
    const createResponse = await service.post('/api/users', body, await keyOf(bot))
    expect(createResponse.status).toBe(200)
    const { id = '' } = (await userWith(email)) ?? {}
    const [confirmedEntry] = await findAuditEntries('email.confirmed', id)
    expect(confirmedEntry).toMatchObject({ actor_id: bot.id, details: { by: 'Bot', reason } })
    expect((await findAuditEntries('account.registered', id))[0]).toMatchObject({
      details: { reason },
    })
  })

  it.each([
    ['with a password', goodPassword],
    ['without one', null],
  ])('%s is notified to the mailbox with a "this was not me" link', async (_, password) => {
    const email = newEmail()
    const tokens = (
      await admin.post('/api/users', { email, password, activate: true })
    ).json<Tokens>()
    const holder = callsWith(service, tokens)
    expect((await holder.get('/api/account')).status).toBe(200)
    const mail = await service.mailTo(email)
    expect(mail?.subject).toBe('An account was created for you')
    expect(mail?.text).toContain('An operator created an account for this address')
    const link = /http:\/\/localhost:\d+(\/auth\/confirm_email\S+)/.exec(mail?.text ?? '')?.[1]
    await press(service, link ?? '', '/disown')

    expect((await holder.get('/api/account')).status).toBe(401)
    expect((await userWith(email))?.email_verified_at).toBeNull()
    const login = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(login.status).toBe(401)
  })

  it('confirming the address of another user (activate) is rejected once the user has signed in', async () => {
    const email = newEmail()
    await admin.post('/api/users', { email, activate: true })
    const { text } = (await service.mailTo(email)) ?? {}
    const notMe = /http:\/\/localhost:\d+(\/auth\/confirm_email\S+)/.exec(text ?? '')?.[1] ?? ''
    await press(service, await service.linkTo(email))
    expect((await press(service, notMe, '/disown')).status).toBe(422)
  })
})
