import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  bearer,
  goodPassword,
  type MailedService,
  newEmail,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { stopRefillInTest } from '../support/refill.ts'
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
      free_limit: 0,
      remaining_free_emoji: 0,
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
  ])('an address that contains another one is rejected everywhere: %j', async (email) => {
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

describe('telling that a name has an account', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const outcomeOf = ({ status, json }: Awaited<ReturnType<MailedService['post']>>) =>
    `${status} ${json()['code'] ?? ''}`.trim()
  const registerFrom = async (address: string, names: object) =>
    outcomeOf(await service.post('/api/users', names, from(address)))
  const times = <Result>(count: number, work: (nth: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, nth) => work(nth)))
  const countOf = (outcomes: string[]) => {
    const counts: Record<string, number> = {}
    for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
    return counts
  }
  const told = '422 uniqueness'
  const refused = '429 too_many_names'
  const taken = () => ({ email: person.email })
  const password = goodPassword
  let takenNames: object[]
  beforeAll(async () => {
    takenNames = await times(100, async (n) => {
      const names = n % 2 ? { email: newEmail() } : { alternate_id: randomUUID(), source: 'test' }
      const body = { ...names, ...('email' in names ? {} : { password }) }
      await service.post('/api/users', body, from(`198.${100 + n}.1.1`))
      return body
    })
  })
  beforeEach(stopRefillInTest)

  it('telling that a name has an account works for 20 names of one client, of which then no name can be registered; its neighbours can', async () => {
    for (const names of takenNames.slice(0, 20)) {
      expect(await registerFrom('198.18.1.1', names)).toBe(told)
    }
    const free = { email: newEmail() }
    for (const body of [
      ...takenNames.slice(18, 22),
      free,
      { alternate_id: randomUUID(), password, source: 'test' },
    ]) {
      expect(await registerFrom('198.18.1.1', body)).toBe(refused)
    }
    const answer = await service.post('/api/users', free, from('198.18.1.1'))
    expect(answer.json()['error']).toMatch(/Sign in if you .* or from another network/)
    expect(await registerFrom('198.18.1.2', free)).toBe('200')
  })

  it('counts a repeated name once, so that one client cannot stop the registrations of a network with it', async () => {
    for (let n = 0; n < 100; n++) {
      expect(await registerFrom(`198.19.1.${n % 2}`, taken())).toBe(told)
    }
    for (const address of ['198.19.1.0', '198.19.1.9']) {
      expect(await registerFrom(address, { email: newEmail() })).toBe('200')
    }
  })

  it('telling that a name has an account works for 20 names of a hundred concurrent requests', async () => {
    const outcomes = await times(100, (n) => registerFrom('198.20.1.1', takenNames[n] ?? {}))
    expect(countOf(outcomes)).toEqual({ [told]: 20, [refused]: 80 })
  })

  it('telling that a name has an account works for 60 names of a network, and for 240 of a wide one', async () => {
    const askAll = (address: (n: number) => string) =>
      times(100, (n) => registerFrom(address(n), takenNames[n] ?? {}))
    expect(countOf(await askAll((n) => `198.21.0.${n}`))).toEqual({ [told]: 60, [refused]: 40 })
    const outcomes: string[] = []
    for (let network = 1; network < 6; network++) {
      outcomes.push(...(await askAll((n) => `198.21.${network}.${n}`)))
    }
    // Each further network has its own share, a twentieth.
    expect(countOf(outcomes)[told]).toBeLessThanOrEqual(180 + 5 * 3)
    for (let network = 0; network < 6; network++) {
      outcomes.push(...(await askAll((n) => `2001:db8:77:${network}::${n}`)))
    }
    expect(countOf(outcomes)[told]).toBeLessThanOrEqual(195 + 81)
  })

  it('telling that a name has an account does not stop the registration of new names before', async () => {
    const outcomes = await times(60, () => registerFrom('198.22.1.1', { email: newEmail() }))
    expect(countOf(outcomes)).toEqual({ '200': 60 })
  })

  it('telling that a name has an account works ten times for an account that changes its address, whether or not the names are free', async () => {
    const own = await register(service)
    const changeTo = async (email: string, nth: number) => {
      const headers = {
        ...bearer(own.tokens.access_token).headers,
        ...from(`198.${24 + nth}.1.1`).headers,
      }
      const change = { email, current_password: goodPassword }
      return outcomeOf(await service.patch('/api/account', change, { headers }))
    }
    const outcomes: string[] = []
    for (let n = 0; n < 9; n++) outcomes.push(await changeTo(person.email, n))
    expect(countOf(outcomes)).toEqual({ [told]: 9 })
    expect(await changeTo(newEmail(), 10)).toBe('200')
    expect(await changeTo(newEmail(), 11)).toBe('429 rate_limited')
    expect(await changeTo(person.email, 12)).toBe('429 rate_limited')
  })

  it('draws on the budget of the network for changed addresses too, from any accounts', async () => {
    const accounts = await times(4, () => register(service))
    const outcomes: string[] = []
    const emails = takenNames.flatMap((names) => ('email' in names ? [names.email] : []))
    for (const [nth, { tokens }] of accounts.entries()) {
      const headers = { ...bearer(tokens.access_token).headers, ...from('198.50.1.1').headers }
      const changes = emails.slice(8 * nth, 8 * nth + 8)
      const answers = await Promise.all(
        changes.map((email) =>
          service.patch('/api/account', { email, current_password: goodPassword }, { headers }),
        ),
      )
      outcomes.push(...answers.map(outcomeOf))
    }
    expect(countOf(outcomes)).toEqual({ [told]: 20, [refused]: 12 })
  })

  it('telling that a name has an account works more often for the server of a partner with the right to activate accounts', async () => {
    const bot = await registerAs(service, 'Bot')
    const { headers } = bearer(bot.tokens.access_token)
    const outcomes = await times(30, () =>
      service.post('/api/users', taken(), { headers }).then(outcomeOf),
    )
    expect(countOf(outcomes)).toEqual({ [told]: 30 })
  })
})
