import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as lootboxes from '../src/features/lootboxes/repository.ts'
import * as audit from '../src/features/operations/audit/repository.ts'
import * as users from '../src/features/people/users/repository.ts'
import * as codes from '../src/features/shop/codes/repository.ts'
import * as orders from '../src/features/shop/orders/repository.ts'
import type { Database, Tables } from '../src/tables.ts'
import { makeCode, redemptionCode } from './support/codes.ts'
import { grant } from './support/ids.ts'
import { type Person, registerAs } from './support/people.ts'
import { type TestService, testService } from './support/service.ts'

type Page<Row> = { data: Row[]; paging: { total: number } }
type UserRow = { id: string; email: string; created_at: string }

/** Enough rows that an index is cheaper than a scan. */
const people = 3_000
let service: TestService
let admin: Person

beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
  await service.db.transaction().execute(async (trx) => {
    const number = sql`generate_series(1, ${sql.lit(people)}) as n`
    await sql`insert into users (email, first_name, last_name, alternate_id, created_at, updated_at)
      select 'Person.' || n || '@Many.example', 'Zoë', 'Łuk_asz ' || n, 'partner%' || n,
        timestamptz '2020-01-01' + interval '1 minute' * (n / 3), now() from ${number}`.execute(trx)
    await sql`insert into orders (user_id, status, is_current, created_at, updated_at)
      select id, 'Draft', false, created_at, created_at from users where first_name = 'Zoë'`.execute(
      trx,
    )
    await sql`insert into codes (name, code_type, activator, discount_in_cents, created_at, updated_at)
      select 'Gift no. ' || n || '.', 'Discount', 'SecretKey', 100, now(), now()
      from ${number}`.execute(trx)
    await sql`insert into lootboxes (id, status, yats, prices, scores, owner_id, sealed_seed, seed_hash,
        contents_hash, rejected, created_at, updated_at)
      select gen_random_uuid(), 'Owned', array['🦀🌴'], array[400], array[10], id, 'sealed',
        encode(sha256(email::bytea), 'hex'), repeat('0', 64), '[]', created_at, created_at
      from users where first_name = 'Zoë'`.execute(trx)
  })
  await sql`analyze`.execute(service.db)
})
afterAll(() => service.close())

const list = async <Row = UserRow>(path: string, query: Record<string, string>) => {
  const answer = await admin.get(`/api/${path}?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(200)
  expect(answer.body).not.toContain('searchable')
  return answer.json<Page<Row>>()
}
const count = async (path: string, q: string) => (await list(path, { q })).paging.total
const emails = async (q: string) => (await list('users', { q })).data.map(({ email }) => email)

describe('a search among many rows', () => {
  it('matches users by any part of an address, a name or an alternate id', async () => {
    const expectedEmails = ['Person.1234@Many.example']
    expect(await emails(' PERSON.1234@many.EXAMPLE ')).toEqual(expectedEmails)
    expect(await emails('son.1234@')).toEqual(expectedEmails)
    expect(await emails('zoë łuk_asz 1234')).toEqual(expectedEmails)
    expect(await emails('partner%1234')).toEqual(expectedEmails)
    expect(await count('users', 'ł')).toBe(people)
    expect(await count('users', 'ë')).toBe(people)
    expect(await count('users', 'many.example')).toBe(people)
  })

  it.each(['İstanbul', 'ΣΊΣΥΦΟΣ', 'STRAẞE', 'ǅungla'])(
    'matches %s as shown, despite its lower-case form',
    async (name) => {
      await admin.patch('/api/account', { last_name: name })
      expect(await emails(name)).toContain(admin.email)
      await admin.post('/api/admin/organizations', { name })
      expect(await count('admin/organizations', name)).toBe(1)
      const code = redemptionCode({ discount_as_percentage: 10, name: `For ${name}` })
      expect((await admin.post('/api/admin/codes', code)).status).toBe(200)
      expect(await count('codes', name)).toBe(1)
    },
  )

  it('treats every character literally', async () => {
    expect(await count('users', 'k_a')).toBe(people)
    expect(await count('users', 'p_r')).toBe(0)
    expect(await count('users', 'per%1234')).toBe(0)
    expect(await count('users', 'r%1234')).toBe(1)
    expect(await count('users', '\\')).toBe(0)
    expect(await count('users', 'person\\.1234')).toBe(0)
  })

  it('includes the latest changes', async () => {
    const user = await registerAs(service, 'User')
    await user.patch('/api/account', { first_name: 'Quirinius' })
    expect(await emails('quirin')).toEqual([user.email])
    await user.patch('/api/account', { first_name: 'Renamed' })
    expect(await emails('quirin')).toEqual([])
  })

  it('matches orders only by the address of the buyer', async () => {
    expect(await count('orders', 'PERSON.1234@many')).toBe(1)
    expect(await count('orders', 'many.example')).toBe(people)
    expect(await count('orders', 'partner%1234')).toBe(0)
  })

  it('matches boxes only by the address of the owner', async () => {
    expect(await count('lootboxes', 'PERSON.1234@many')).toBe(1)
    expect(await count('lootboxes', 'many.example')).toBe(people)
    expect(await count('lootboxes', 'partner%1234')).toBe(0)
  })

  it('matches codes by a part of their name, or their whole typed text in any case', async () => {
    await makeCode(admin, redemptionCode({ name: 'Spring', redemption_code: 'Typed-1234Y' }))
    expect(await count('codes', 'no. 1234.')).toBe(1)
    expect(await count('codes', ' typed-1234y ')).toBe(1)
    expect(await count('codes', 'typed-1234')).toBe(0)
    expect(await count('codes', '1234. typed')).toBe(0)
  })
})

describe('a filter that nothing can match', () => {
  const unknown = 'user_id=8f0d1c1e-2b52-4f0c-9a0e-0d1b1c9f1a11'
  it.each([
    ['emoji_id', unknown, 404, 'unknown_user'],
    ['emoji_id/extended', unknown, 404, 'unknown_user'],
    ['orders', unknown, 404, 'unknown_user'],
    ['orders/export', unknown, 404, 'unknown_user'],
    ['transfers', unknown.replace('user', 'sender'), 404, 'unknown_user'],
    ['admin/suspensions', unknown, 404, 'unknown_user'],
    ['lootboxes', unknown.replace('user', 'owner'), 404, 'unknown_user'],
    ['api_keys', unknown, 404, 'unknown_user'],
    ['lootboxes', unknown.replace('user', 'lootbox_type'), 404, 'unknown_lootbox_type'],
    ['admin/audit', 'event=records.change', 400, 'unknown_event'],
    ['admin/audit', 'person=anna', 400, 'invalid_request'],
    ['admin/audit', 'emoji_id=crabby', 400, 'unknown_emoji'],
  ])(
    'a filter that nothing can match of %s with %s is refused instead of an empty list',
    async (path, query, status, code) => {
      const answer = await admin.get(`/api/${path}?${query}`)
      expect([answer.status, answer.json()['code']]).toEqual([status, code])
    },
  )

  it('a filter that nothing can match of the audit log may be an id in any spelling', async () => {
    const id = await grant(admin, { user_id: admin.id }, '👍👍🦀')
    const { paging } = await list('admin/audit', { emoji_id: '👍🏽👍🦀' })
    expect([id, paging.total]).toEqual(['👍👍🦀', 1])
  })
})

describe('the pages of a long list', () => {
  it.each(['Asc', 'Desc'])(
    'the pages of a long list are parts of one order, from both ends: %s',
    async (dir) => {
      const read = (page: number) =>
        list('users', { q: 'person.1', limit: '190', page: String(page), dir })
      // 1, 10 to 19, 100 to 199 and 1000 to 1999.
      const total = 1_111
      const last = Math.ceil(total / 190) - 1
      const pages = []
      for (let page = 0; page <= last; page++) pages.push((await read(page)).data)
      const all = pages.flat()
      const byTime = all.toSorted(
        (a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id),
      )

      expect(new Set(all.map(({ id }) => id)).size).toBe(total)
      expect(all).toEqual(dir === 'Asc' ? byTime : byTime.toReversed())
      expect(await read(last + 1)).toMatchObject({ data: [], paging: { total } })
    },
  )
})

describe('a page near the end of a long list', () => {
  it('a page near the end of a long list stays in place while rows are added', async () => {
    const read = async () =>
      (await list('users', { limit: '50', page: '50', dir: 'Asc' })).data.map(({ id }) => id)
    const before = await read()
    expect(before).toHaveLength(50)
    let isOver = false
    const adding = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        await sql`insert into users (email, created_at, updated_at)
          values (gen_random_uuid() || '@late.example', now(), now())`.execute(service.db)
      }
    })
    const pages = []
    for (let turn = 0; turn < 6; turn++) pages.push(await read())
    isOver = true
    await Promise.all(adding)
    expect(pages.filter((page) => page.join() !== before.join())).toEqual([])
  })
})

describe('the text index', () => {
  const page = { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' } as const
  const one = { ...page, q: 'n.1234@' }
  const hmac = Buffer.alloc(32)
  it.each([
    ['users_searchable', (db: Database) => users.findPage(db, one)],
    ['users_searchable', (db: Database) => orders.findPage(db, one)],
    ['lootboxes_searchable', (db: Database) => lootboxes.findPage(db, one)],
    ['codes_searchable', (db: Database) => codes.findPage(db, { ...page, q: 'd-1234' }, [])],
    ['codes_by_hmac', (db: Database) => codes.findPage(db, { ...page, q: 'd-1234' }, [hmac])],
  ])('%s serves the search', async (index, read) => {
    const plans = await plansOf(read)
    expect(plans.length).toBeGreaterThan(1)
    for (const plan of plans) expect(plan).not.toContain('Seq Scan')
    expect(plans.join('\n')).toContain(index)
  })
})

describe('the index of emoji ids', () => {
  const page = { page: 0, limit: 50, dir: 'Desc', emoji_id: '🦀🌴' } as const
  it.each([
    [
      'order_items_by_emoji_id',
      (db: Database) => orders.findPage(db, { ...page, sort: 'created_at' }),
    ],
    ['audit_entries_emoji_id', (db: Database) => audit.findPage(db, { ...page, sort: 'id' })],
    ['audit_entries_emoji_ids', (db: Database) => audit.findPage(db, { ...page, sort: 'id' })],
    ['users_pkey', (db: Database) => users.findPage(db, { ...page, sort: 'created_at' })],
  ])('%s serves the filter', async (index, read) => {
    const plans = await plansOf(read)
    for (const plan of plans) {
      expect(plan).not.toContain('Seq Scan')
      // The rows of an id are read by their keys, not found on a way through the whole table.
      expect(plan).toContain('= ANY (')
    }
    expect(plans.join('\n')).toContain(index)
  })
})

/**
 * The query plans of a list. A sequential scan is costed so high that it remains only where no
 * index can serve: otherwise the plan would depend on the age of the statistics.
 */
async function plansOf(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  const options = '-c enable_seqscan=off'
  const pool = new pg.Pool({ ...service.database?.connection, options })
  const queries: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  })
  await read(db)
  const plans = queries.map(async ({ sql: text, parameters }) => {
    const { rows } = await pool.query(`explain ${text}`, [...parameters])
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  const explained = await Promise.all(plans)
  await db.destroy()
  return explained
}
