import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from '../support/people.ts'
import { enableApp, sendCode } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const backup = (body: object) =>
  service.post('/api/account/2fa/backup_disable', { disable_all: true, ...body })
const statusesOf = async ({ get, tokens }: Pick<Person, 'get' | 'tokens'>) => {
  const { refresh_token } = tokens
  const refreshAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
  return [(await get('/api/account')).status, refreshAnswer.status]
}
/** A user with a confirmed address and an authenticator app, on two devices. */
async function protectedPerson() {
  const person = await newcomer(service, { password: goodPassword, isVerified: true })
  const other = await logIn(service, person)
  return { person, other, ...(await enableApp(service, person)) }
}

describe('a backup code (T48)', () => {
  it('removes the second factor once, ends every session, and is notified by email', async () => {
    const { person, other, backup_codes } = await protectedPerson()
    const { email } = person
    const [backup_code = '', unused = ''] = backup_codes
    const finalAnswer = await backup({ email: email.toUpperCase(), backup_code })

    expect(finalAnswer.status).toBe(200)
    for (const device of [person, other]) expect(await statusesOf(device)).toEqual([401, 401])
    const returnedPerson = await logIn(service, person)
    expect(returnedPerson.tokens.requires_2fa).toBeNull()
    expect((await returnedPerson.get('/api/account')).json()).toMatchObject({
      user: { two_factor_auth: null },
    })
    for (const code of [backup_code, unused]) {
      expect((await backup({ email, backup_code: code })).status).toBe(422)
    }
    await service.settle()
    const subjects = service.mailsTo(email).map(({ subject }) => subject)
    expect(subjects.filter((one) => one === 'Your second factor was removed')).toHaveLength(1)
  })

  it('a backup code (T48) is rejected with one response for any owner and any named user', async () => {
    const { person, backup_codes } = await protectedPerson()
    const stranger = await protectedPerson()
    const passwordlessPerson = await newcomer(service)
    const [backup_code = ''] = stranger.backup_codes
    const never = 'AAAAAA-BBBBBB-CCCCCC-DDDDDD'
    const refusals = [
      await backup({ email: person.email, backup_code }),
      await backup({ email: person.email, backup_code: never }),
      await backup({ email: passwordlessPerson.email, backup_code }),
      await backup({ email: `unknown-${randomUUID()}@example.com`, backup_code }),
      await backup({ alternate_id: 'unknown', backup_code }),
      // The code belongs to the address, but the other name does not.
      await backup({ email: stranger.person.email, alternate_id: 'unknown', backup_code }),
    ]
    const bodies = refusals.map(({ status, body }) => ({ ...JSON.parse(body), status }))
    const { request_id: _, ...first } = bodies[0]

    expect(first).toMatchObject({ status: 422, code: 'wrong_code' })
    expect(Object.keys(first.fields)).toEqual(['backup_code'])
    for (const { request_id: __, ...one } of bodies) expect(one).toEqual(first)
    expect(await statusesOf(person)).toEqual([200, 200])
    expect(await statusesOf(stranger.person)).toEqual([200, 200])
    const own = { email: person.email, backup_code: backup_codes[0]?.toLowerCase() }
    expect((await backup(own)).status).toBe(200)
  })

  it.each([
    [{ backup_code: '123456' }],
    [{ backup_code: '' }],
    [{ backup_code: 'A'.repeat(25) }],
    [{ backup_code: ['A'] }],
    [{ backup_code: 'AAAAAA-BBBBBB-CCCCCC-DDDDDD', email: null }],
    [{}],
  ])('a backup code (T48) needs 24 letters and digits and a name: %o', async (body) => {
    const refusal = await backup({ email: 'user@example.com', ...body })
    expect(refusal.status).toBe(400)
    expect(refusal.json()['error']).toContain('backup_code')
  })

  it('replaces a code at a login once, and keeps the second factor', async () => {
    const { person, backup_codes, app } = await protectedPerson()
    const [one = '', other = ''] = backup_codes
    const { tokens } = await logIn(service, person)
    const secondPerson = await logIn(service, person)

    expect((await sendCode(service, tokens, one.replaceAll('-', ' '))).status).toBe(200)
    expect((await sendCode(service, secondPerson.tokens, one)).status).toBe(422)
    expect((await sendCode(service, secondPerson.tokens, other.toLowerCase())).status).toBe(200)
    const later = await logIn(service, person)
    expect(later.tokens.requires_2fa).toBe('AuthenticatorApp')
    expect((await sendCode(service, later.tokens, app.next())).status).toBe(200)
  })

  it('for an inactive second factor stays unused and ends nothing', async () => {
    const { person, backup_codes } = await protectedPerson()
    const [backup_code = ''] = backup_codes
    const body = { email: person.email, backup_code, disable_all: false }
    expect((await backup({ ...body, provider: 'SMS' })).status).toBe(422)
    expect(await statusesOf(person)).toEqual([200, 200])
    expect((await backup({ ...body, provider: 'AuthenticatorApp' })).status).toBe(200)
    expect((await logIn(service, person)).tokens.requires_2fa).toBeNull()
  })
})

describe('removing one’s own second factor', () => {
  it('removing one’s own second factor ends the sessions with a pending code, and keeps the others', async () => {
    const { person, other, app } = await protectedPerson()
    const login = await logIn(service, person)
    expect((await sendCode(service, login.tokens, app.next())).status).toBe(200)
    const pending = await logIn(service, person)
    const removeResponse = await person.post('/api/account/2fa/disable', { disable_all: true })

    expect(removeResponse.status).toBe(200)
    for (const one of [other, pending]) expect(await statusesOf(one)).toEqual([401, 401])
    for (const one of [person, login]) expect(await statusesOf(one)).toEqual([200, 200])
  })
})

describe('a deleted account', () => {
  it('loses its second factor, codes and phone', async () => {
    const { person } = await protectedPerson()
    const phone = { provider: 'SMS', phone: '+14155550199' }
    expect((await person.post('/api/account/2fa', phone)).status).toBe(200)
    expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)

    const tables = ['second_factors', 'second_factor_setups', 'backup_codes', 'sms_codes'] as const
    for (const table of tables) {
      const remainingRows = await service.db
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', person.id)
        .execute()
      expect([table, remainingRows]).toEqual([table, []])
    }
    expect((await admin.get(`/api/users/${person.id}`)).json()).toMatchObject({
      two_factor_auth: null,
    })
  })
})

describe('an emailed link', () => {
  it('for a new password never bypasses the second factor', async () => {
    const { person, other, app } = await protectedPerson()
    const { email } = person
    const before = service.mailsTo(email).length
    await service.settle()
    const mails = Math.max(before, service.mailsTo(email).length)
    await service.post('/api/auth/password_reset', { email })
    const password = 'quite another password'
    const page = await press(service, await service.linkTo(email, mails + 1), undefined, {
      password,
    })

    expect(page.status).toBe(200)
    expect(page.headers.get('set-cookie')).toBeNull()
    for (const device of [person, other]) expect(await statusesOf(device)).toEqual([401, 401])
    const returnedPerson = await logIn(service, { email, password })
    expect(returnedPerson.tokens.requires_2fa).toBe('AuthenticatorApp')
    expect((await returnedPerson.get('/api/account')).status).toBe(403)
    expect((await sendCode(service, returnedPerson.tokens, app.next())).status).toBe(200)
  })

  it('to sign in never bypasses the second factor', async () => {
    const { email } = await register(service, { password: null })
    const arrive = async (mail: number) => {
      const page = await press(service, await service.linkTo(email, mail))
      const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
      const { headers } = await submit(service, '/auth/first_password/skip', { token })
      const code = new URL(headers.get('location') ?? '').searchParams.get('code')
      const tokens = (await service.post('/api/auth/exchange', { code })).json<Tokens>()
      return tokens
    }
    const first = await arrive(1)
    expect(first.requires_2fa).toBeNull()
    const headers = { authorization: `Bearer ${first.access_token}` }
    const post = (path: string, body?: unknown) => service.post(path, body, { headers })
    const { app } = await enableApp(service, { post })
    await service.settle()
    const mails = service.mailsTo(email).length
    await service.post('/api/auth/magic_link', { email })
    const second = await arrive(mails + 1)

    expect(second.requires_2fa).toBe('AuthenticatorApp')
    const bearer = { headers: { authorization: `Bearer ${second.access_token}` } }
    expect((await service.get('/api/account', bearer)).status).toBe(403)
    expect((await sendCode(service, second, app.next())).status).toBe(200)
  })
})

describe('a deactivated account', () => {
  it('accepts no code, and keeps its second factor', async () => {
    const { person, app, backup_codes } = await protectedPerson()
    const { tokens } = await logIn(service, person)
    const [backup_code = '', unusedCode = ''] = backup_codes
    const act = (title: string) =>
      admin.post(`/api/admin/users/${person.id}/${title}`, { reason: 'Asked for by the support' })
    expect((await act('deactivate')).status).toBe(200)

    expect((await sendCode(service, tokens, app.next())).status).toBe(401)
    expect((await sendCode(service, tokens, backup_code)).status).toBe(401)
    expect((await backup({ email: person.email, backup_code })).status).toBe(422)
    expect((await act('activate')).status).toBe(200)
    expect((await sendCode(service, tokens, unusedCode)).status).toBe(401)
    const returnedPerson = await logIn(service, person)
    expect(returnedPerson.tokens.requires_2fa).toBe('AuthenticatorApp')
    expect((await sendCode(service, returnedPerson.tokens, backup_code)).status).toBe(200)
  })
})

describe('removal by an administrator', () => {
  const reason = 'Lost the phone, showed a passport'
  const remove = (person: Pick<Person, 'post'>, id: string, body: object = { reason }) =>
    person.post(`/api/admin/users/${id}/remove_2fa`, body)

  it('requires a reason, which is stored; ends every session and is notified by email', async () => {
    const { person, backup_codes, app } = await protectedPerson()
    const unseen = ['', '    ', '\u200B\u200B\u200B', 7, 'x'.repeat(501)]
    for (const body of [{}, ...unseen.map((reason) => ({ reason: reason }))]) {
      expect((await remove(admin, person.id, body)).status).toBe(400)
    }
    expect(await statusesOf(person)).toEqual([200, 200])
    expect((await remove(admin, person.id)).status).toBe(200)

    expect(await statusesOf(person)).toEqual([401, 401])
    const returnedPerson = await logIn(service, person)
    expect(returnedPerson.tokens.requires_2fa).toBeNull()
    expect((await sendCode(service, returnedPerson.tokens, app.next())).status).toBe(422)
    const [backup_code] = backup_codes
    expect((await backup({ email: person.email, backup_code })).status).toBe(422)
    const auditEntries = await service.db
      .selectFrom('audit_entries')
      .select(['actor_id', 'subject_id', 'details'])
      .where('event', '=', 'second_factor.removed')
      .where('subject_id', '=', person.id)
      .execute()
    expect(auditEntries).toMatchObject([{ actor_id: admin.id, details: { reason } }])
    await service.settle()
    const subjects = service.mailsTo(person.email).map(({ subject }) => subject)
    expect(subjects).toContain('Your second factor was removed')
  })

  it('removal by an administrator is rejected for a user without a second factor, and ends nothing', async () => {
    const person = await newcomer(service)
    const refusal = await remove(admin, person.id)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'not_enabled'])
    expect(await statusesOf(person)).toEqual([200, 200])
  })

  it('requires an administrator with a new code and a higher role', async () => {
    const { person } = await protectedPerson()
    const boss = await registerAs(service, 'Super')
    const careful = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, careful)
    await enableApp(service, boss)

    expect((await remove(await newcomer(service), person.id)).status).toBe(403)
    expect((await remove(admin, boss.id)).status).toBe(403)
    expect((await remove(admin, randomUUID())).status).toBe(404)
    const keyResponse = await careful.post('/api/api_keys', { name: 'a key' })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    const path = `/api/admin/users/${person.id}/remove_2fa`
    expect((await service.post(path, { reason }, { headers })).status).toBe(403)
    await service.db
      .updateTable('sessions')
      .set({ second_factor_at: new Date(0) })
      .execute()
    expect((await remove(careful, person.id)).status).toBe(424)
    expect((await logIn(service, person)).tokens.requires_2fa).toBe('AuthenticatorApp')
    expect((await sendCode(service, careful.tokens, app.next())).status).toBe(200)
    expect((await remove(careful, person.id)).status).toBe(200)
  })
})
