import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  goodPassword,
  type MailedService,
  newEmail,
  type Person,
  register,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let person: Person
let earlierMails: number
beforeAll(async () => {
  service = await sharedMailedService()
  await service.settle()
  earlierMails = service.sink.received.length
  person = await register(service)
})

describe('registering with protected members', () => {
  const ownFields = {
    id: randomUUID(),
    role: 'Super',
    free_limit: 99,
    remaining_free_emoji: 99,
    pubkeys: ['ab'.repeat(32)],
    two_factor_auth: ['SMS'],
    two_factor_should_prompt: false,
    email_verified_at: '2020-01-01T00:00:00.000Z',
    claimed_at: '2020-01-01T00:00:00.000Z',
    created_at: '2020-01-01T00:00:00.000Z',
    password_hash: 'x',
    epoch: 7,
    activate: true,
    activation_source: 'myself',
    scopes: ['adminUser:load'],
    constructor: 'x',
  }

  it.each([
    { kind: 'an address', names: { password: null } },
    { kind: 'an address and a password', names: {} },
    {
      kind: 'an alternate id',
      names: { email: null, alternate_id: randomUUID(), source: 'test' },
    },
  ])('ignores them: $kind', async ({ names }) => {
    const { id, get } = await register(service, { ...ownFields, ...names })
    const account = (await get('/api/account')).json<{ user: Record<string, unknown> }>()

    expect(id).not.toBe(ownFields.id) // T09
    expect(account).toMatchObject({ role: 'User', features: [], organization_roles: {} })
    expect(account.user).toMatchObject({
      id,
      role: 'User',
      free_limit: 1,
      remaining_free_emoji: 1,
      two_factor_auth: null,
      two_factor_should_prompt: true,
      email_verified_at: null,
      deactivated_at: null,
      pubkeys: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    })
    expect(account.user['pubkeys']).not.toEqual(ownFields.pubkeys)
    expect(String(account.user['created_at'])).not.toContain('2020')
    expect((await get('/api/users')).status).toBe(403)
  })

  it.each(['{"__proto__":{"role":"Super"},', '{"constructor":{"prototype":{"role":"Super"}},'])(
    'cannot change a prototype: %s',
    async (start) => {
      const raw = `${start}"email":"${newEmail()}"}`
      const headers = { 'content-type': 'application/json' }
      expect((await service.call('POST', '/api/users', { raw, headers })).status).toBe(400)
      expect(({} as { role?: string }).role).toBeUndefined()
    },
  )
})

describe('an address that contains another one', () => {
  const victim = `victim-${randomUUID()}@x.example`
  it.each([
    `${victim}\r\nBcc: evil@y.example`,
    `${victim}\nBcc: evil@y.example`,
    `${victim}\r\n\r\nevil`,
    `${victim},evil@y.example`,
    `${victim}, evil@y.example`,
    `${victim};evil@y.example`,
    `${victim} evil@y.example`,
    '"a" <evil@y.example>',
    '<evil@y.example>',
    'a<evil@y.example>',
    'g:evil@y.example;',
    '"evil@y.example"@x.example',
    'evil@y.example@x.example',
    'evil@y.example(comment)',
    '=?utf-8?q?evil=40y.example?=',
    `${victim}\u2028Bcc: evil@y.example`,
    'evil@[127.0.0.1]',
    `${'evil'.repeat(100)}@y.example`,
  ])('is rejected everywhere: %j', async (email) => {
    const answers = await Promise.all([
      service.post('/api/users', { email }),
      service.post('/api/users', { email, password: goodPassword }),
      service.post('/api/auth/magic_link', { email }),
      service.post('/api/auth/password_reset', { email }),
      person.patch('/api/account', { email, current_password: goodPassword }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]) // T10
  })

  it('sends no email', async () => {
    await register(service, { email: victim })
    await service.mailTo(victim)
    await service.settle()
    const mails = service.sink.received.slice(earlierMails)
    expect(mails.filter(({ raw }) => /evil/i.test(raw))).toEqual([])
    const recipients = mails.flatMap(({ envelope }) => envelope.to)
    expect(new Set(recipients).size).toBe(recipients.length)
    expect(recipients.filter((address) => /evil/i.test(address))).toEqual([])
  })
})
