import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant } from './support/ids.ts'
import {
  goodPassword,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
  submit,
  type Tokens,
} from './support/people.ts'
import { sharedMailedService } from './support/shared-service.ts'
import { transferSteps, wrongCode } from './support/transfers.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Super')
})

type Entry = {
  at: string
  event: string
  result: string
  actor_id: string | null
  subject_id: string | null
  request_id: string | null
  details: Record<string, unknown>
}
const entries = async (query: string) => {
  const { data } = (await admin.get(`/api/admin/audit?${query}`)).json<{ data: Entry[] }>()
  return data
}

/** The action, its subject, and whether the subject acted themselves. */
type Act = () => Promise<{
  by: 'self' | 'admin' | 'anonymous'
  person: { id: string }
  answer: { headers: Headers }
  result?: string
}>
type Work = (person: Person) => ReturnType<Person['get']>
const bySelf = async (work: Work, password: string | null = null) => {
  const person = await register(service, { password })
  return { by: 'self' as const, person, answer: await work(person) }
}
const withPassword = (work: Work) => bySelf(work, goodPassword)
const byAdmin = async (work: (id: string) => ReturnType<Person['get']>) => {
  const person = await newcomer(service)
  return { by: 'admin' as const, person, answer: await work(person.id) }
}
const reason = 'Asked for by the support'
const fromLink = (action?: string, fields = {}) =>
  withPassword(async ({ email }) => press(service, await service.linkTo(email), action, fields))
const firstAnswer = async () => {
  const answer = await service.post('/api/users', { email: newEmail() })
  const { access_token } = answer.json<Tokens>()
  const [, claims = ''] = access_token.split('.')
  const { sub: id } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return { by: 'self' as const, person: { id }, answer }
}
const signIn = () =>
  bySelf(async ({ email }) => {
    const page = await press(service, await service.linkTo(email))
    return page.first ?? page
  })
const owning = async (work: (person: Person, path: string) => ReturnType<Person['get']>) => {
  const person = await newcomer(service, { isVerified: true })
  return { person, answer: await work(person, at(await grant(admin, { user_id: person.id }))) }
}
const token = (link: string) => new URLSearchParams(link.split('?')[1]).get('token') ?? ''

const idIn = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '')

const acts: Record<string, Act> = {
  'account.registered': firstAnswer,
  'key.created': firstAnswer,
  'link.requested': async () => ({ ...(await firstAnswer()), by: 'anonymous' }),
  'login.password': () =>
    withPassword(({ email, password }) => service.post('/api/auth/token', { email, password })),
  'login.password, refused': async () => ({
    ...(await withPassword(({ email }) =>
      service.post('/api/auth/token', { email, password: 'no' }),
    )),
    by: 'anonymous',
    result: 'refused',
  }),
  'login.link': signIn,
  'account.claimed': signIn,
  'refresh.reused': async () => ({
    ...(await bySelf(async ({ tokens }) => {
      await service.post('/api/auth/token/refresh', tokens)
      service.clock.advance(61_000)
      return service.post('/api/auth/token/refresh', tokens)
    })),
    result: 'refused',
  }),
  logout: () => bySelf(({ post }) => post('/api/logout')),
  'session.ended': () =>
    withPassword(async ({ email, password, delete: end }) => {
      await service.post('/api/auth/token', { email, password })
      return end('/api/account/sessions')
    }),
  'account.changed': () => bySelf(({ patch }) => patch('/api/account', { first_name: 'Ada' })),
  'account.changed, by support': () =>
    byAdmin((id) => admin.patch(`/api/users/${id}`, { first_name: 'Ada' })),
  'password.set': () =>
    withPassword(({ patch }) =>
      patch('/api/account', { password: 'a second password', current_password: goodPassword }),
    ),
  'password.reset': () =>
    withPassword(async ({ email }) => {
      await service.post('/api/auth/password_reset', { email })
      const link = token(await service.linkTo(email, 2))
      return submit(service, '/auth/reset_password', { token: link, password: 'a third password' })
    }),
  'email.confirmed': () => fromLink(),
  'account.disowned': async () => ({ ...(await fromLink('/disown')), by: 'anonymous' }),
  'email.change_requested': () =>
    withPassword(({ patch }) =>
      patch('/api/account', { email: newEmail(), current_password: goodPassword }),
    ),
  'email.change_withdrawn': () =>
    withPassword(async ({ patch, email }) => {
      await patch('/api/account', { email: newEmail(), current_password: goodPassword })
      return patch('/api/account', { email })
    }),
  'email.changed': () =>
    withPassword(async ({ patch }) => {
      const email = newEmail()
      await patch('/api/account', { email, current_password: goodPassword })
      const pressAnswer = await press(service, await service.linkTo(email))
      return pressAnswer.first ?? pressAnswer
    }),
  'role.changed': () => byAdmin((id) => admin.patch(`/api/users/${id}`, { role: 'Bot' })),
  'features.changed': () =>
    byAdmin((id) => admin.put(`/api/admin/users/${id}/features`, { codes: ['beta'] })),
  'account.deactivated': () =>
    byAdmin((id) => admin.post(`/api/admin/users/${id}/deactivate`, { reason })),
  'account.activated': () =>
    byAdmin((id) => admin.post(`/api/admin/users/${id}/activate`, { reason })),
  'account.deleted': () => byAdmin((id) => admin.delete(`/api/users/${id}`)),
  'organization.member_changed': () =>
    byAdmin(async (id) => {
      const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
      const path = `/api/admin/organizations/${organizationResponse.json()['id']}/members/${id}`
      return admin.put(path, { role: 'OrgMember' })
    }),
  'transfer.requested': async () => {
    const { person, answer } = await owning((one, path) =>
      one.post('/api/transfers', { eid: idIn(path), email: newEmail() }),
    )
    return { by: 'self', person, answer }
  },
  'transfer.closed': async () => {
    const { anna, transfer } = await transferSteps(service, admin).inserted('awaiting_sender')
    const answer = await admin.delete(`/api/transfers/${transfer.id}`)
    return { by: 'admin', person: anna, answer }
  },
  'transfer.forced': async () => {
    const { email } = await newcomer(service, { isVerified: true })
    const { person, answer } = await owning((_one, path) =>
      admin.post('/api/transfers', {
        eid: idIn(path),
        email,
        force_transfer: true,
        reason: 'Support',
      }),
    )
    return { by: 'admin', person, answer }
  },
  'token.signed': async () => ({
    by: 'self' as const,
    ...(await owning((one, path) =>
      one.post(`${path}/generate_signature`, { account: `0x${'5'.repeat(40)}` }),
    )),
  }),
  'emoji_id.suspended': async () => ({
    by: 'admin' as const,
    ...(await owning((_one, path) =>
      admin.post(path.replace('/emoji_id/', '/admin/emoji_ids/').concat('/suspend'), { reason }),
    )),
  }),
  'token.minted': async () => ({
    by: 'admin' as const,
    ...(await owning((_one, path) =>
      admin.put(path.replace('/emoji_id/', '/admin/emoji_ids/').concat('/minted'), {
        minted: true,
      }),
    )),
  }),
}

describe('the audit records actor, action, subject, time and request (T115)', () => {
  it.each(Object.entries(acts))('%s', async (name, act) => {
    const start = service.clock.now().getTime()
    const { by, person, answer, result = 'done' } = await act()
    const [event = ''] = name.split(', ')
    const [entry] = await entries(`event=${event}&subject_id=${person.id}`)

    expect(entry).toMatchObject({
      event,
      result,
      subject_id: person.id,
      actor_id: { self: person.id, admin: admin.id, anonymous: null }[by],
      request_id: answer.headers.get('x-request-id'),
    })
    const at = Date.parse(entry?.at ?? '')
    expect(at).toBeGreaterThanOrEqual(start)
    expect(at).toBeLessThanOrEqual(service.clock.now().getTime())
  })

  it('every step of a transfer, with its sender as the subject', async () => {
    const { begun, age, confirm, accept, codeTo } = transferSteps(service, admin)
    const { anna, bert, transfer } = await begun()
    await age(transfer, 61_000)
    const sendAnswer = await anna.post(`/api/transfers/${transfer.id}/resend_code`)
    const confirmAnswer = await confirm(anna, transfer, await codeTo(anna, 2))
    const code = await codeTo(bert)
    const steps: [string, string, Person, { headers: Headers }][] = [
      ['transfer.code_sent', 'done', anna, sendAnswer],
      ['transfer.confirmed', 'done', anna, confirmAnswer],
      ['transfer.code_given', 'refused', bert, await accept(bert, transfer, wrongCode(code))],
      ['transfer.accepted', 'done', bert, await accept(bert, transfer, code)],
      ['transfer.deleted', 'done', anna, await anna.delete(`/api/transfers/${transfer.id}`)],
    ]
    for (const [event, result, actor, { headers }] of steps) {
      const audited = await entries(`event=${event}&subject_id=${anna.id}`)
      expect(audited).toContainEqual(
        expect.objectContaining({
          event,
          result,
          subject_id: anna.id,
          actor_id: actor.id,
          request_id: headers.get('x-request-id'),
        }),
      )
    }
  })

  it.each(['organization.created', 'organization.changed'])('%s', async (event) => {
    const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const { id } = organizationResponse.json()
    const changeAnswer = await admin.patch(`/api/admin/organizations/${id}`, { name: 'Lobsters' })
    const { headers } = event === 'organization.created' ? organizationResponse : changeAnswer
    const [entry] = await entries(`event=${event}&actor_id=${admin.id}`)
    expect(entry).toMatchObject({
      request_id: headers.get('x-request-id'),
      details: { organization_id: id },
    })
  })

  it('an entry has the reason, and the roles before and after', async () => {
    const { id } = await registerAs(service, 'Bot')
    await admin.patch(`/api/users/${id}`, { role: 'User' })
    await admin.post(`/api/admin/users/${id}/deactivate`, { reason })
    const [shutEntry] = await entries(`subject_id=${id}&event=account.deactivated`)
    const [movedEntry] = await entries(`subject_id=${id}&event=role.changed`)
    expect([shutEntry?.details, movedEntry?.details]).toMatchObject([
      { reason },
      { from: 'Bot', to: 'User' },
    ])
  })

  it('there is no entry for a request that changes or ends nothing', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { id, email, password } = person
    const countOf = async (event: string) =>
      (await entries(`subject_id=${id}&event=${event}`)).length
    const names = { first_name: 'Ada', last_name: 'Lovelace' }
    const endOthers = () => person.delete('/api/account/sessions')
    await endOthers()
    const counts = {
      changed: await countOf('account.changed'),
      ended: await countOf('session.ended'),
    }
    await person.patch('/api/account', names)
    await service.post('/api/auth/token', { email, password })
    await endOthers()
    for (let nth = 0; nth < 3; nth++) {
      expect((await person.patch('/api/account', names)).status).toBe(200)
      expect((await endOthers()).status).toBe(200)
    }
    await person.patch('/api/account', { ...names, last_name: 'King' })

    expect(await countOf('session.ended')).toBe(counts.ended + 1)
    expect(await countOf('account.changed')).toBe(counts.changed + 2)
    const [newest] = await entries(`subject_id=${id}&event=account.changed`)
    expect(newest?.details).toMatchObject({ members: ['last_name'] })
  })

  it('there is no entry for a refused request', async () => {
    const { id } = await register(service, { password: null })
    const change = { first_name: 'Ada', role: 'Admin', email: admin.email }
    expect((await admin.patch(`/api/users/${id}`, change)).status).toBe(422)
    const events = (await entries(`subject_id=${id}`)).map(({ event }) => event)
    expect(events).not.toContain('role.changed')
    expect(events).not.toContain('account.changed')
  })
})

describe('audit rows', () => {
  it.each([
    `update audit_entries set actor_id = null`,
    `update audit_entries set result = 'done' where id = -1`,
    `delete from audit_entries`,
    `delete from audit_entries where event = 'logout'`,
    `truncate audit_entries`,
    `truncate audit_entries cascade`,
    `insert into audit_entries (id, at, event, result) overriding system value
       values (1, now(), 'x', 'done') on conflict (id) do update set event = 'x'`,
  ])('audit rows are append-only: %s', async (statement) => {
    const { rows } = await sql<{ last: string }>`select max(id) as last from audit_entries`.execute(
      service.db,
    )
    // Jobs of the shared service may add entries meanwhile.
    const everything = async () => {
      const { rows: sums } = await sql<{ count: number; hash: string }>`
        select count(*)::int, md5(string_agg(entry::text, '' order by id)) as hash
        from audit_entries as entry where id <= ${rows[0]?.last}`.execute(service.db)
      return sums[0]
    }
    const before = await everything()
    await expect(sql.raw(statement).execute(service.db)).rejects.toThrow('only ever added')
    expect(before?.count).toBeGreaterThan(0)
    expect(await everything()).toEqual(before)
  })

  it('hold no password and no token', async () => {
    const { tokens } = await register(service)
    await service.post('/api/auth/token', {
      email: `${randomUUID()}@x.org`,
      password: goodPassword,
    })
    await service.post('/api/auth/token/refresh', tokens)
    const { rows } = await sql`select whole::text from audit_entries as whole`.execute(service.db)
    const all = JSON.stringify(rows)
    for (const secret of [goodPassword, tokens.refresh_token, 'eyJ', 'argon2']) {
      expect(all).not.toContain(secret)
    }
    expect(all).not.toMatch(/\brt_/)
  })
})

describe('details of an entry', () => {
  const write = async (details: object) => {
    const { id } = await service.db
      .insertInto('audit_entries')
      .values({
        at: new Date(),
        event: 'store.locked',
        result: 'done',
        details: JSON.stringify(details),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const listed = async (limit: number) =>
    (await entries(`event=store.locked&limit=${limit}`))[0]?.details

  it('details of an entry from before their limit are left out of lists, and shown alone', async () => {
    const details = { emoji_id: '🔥🐍', version: 7, inserted: 'x'.repeat(100_000) }
    await write(details)
    const { length } = JSON.stringify(details, null, 1)
    expect(await listed(2)).toEqual({ emoji_id: '🔥🐍', version: 7, too_long: expect.any(Number) })
    expect(Number((await listed(2))?.['too_long'])).toBeGreaterThan(length - 100)
    expect(await listed(1)).toEqual(details)
    await write({ inserted: 'short' })
    expect(await listed(2)).toEqual({ inserted: 'short' })
  })
})
