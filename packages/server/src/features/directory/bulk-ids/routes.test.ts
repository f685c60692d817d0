import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, newId, proofOf, recordsOf } from '../../../../test/support/ids.ts'
import {
  bearer,
  confirmedUser,
  goodPassword,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { enableApp } from '../../../../test/support/second-factor.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
  anna = await confirmedUser(service)
})
afterAll(() => service.close())
const bitcoin = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
const otherBitcoin = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }

type Result = { emoji_id: string; status: string; error: { code: string; message: string } | null }
type Row = Record<string, unknown>
const send = (rows: Row[], more: object = {}) =>
  admin.post('/api/admin/emoji_ids/import', { rows, ...more })
const take = async (rows: Row[], more: object = {}) => {
  const answer = await send(rows, more)
  expect(answer.status, answer.body).toBe(200)
  return answer.json<{ data: Result[] }>().data
}
const outcomes = async (rows: Row[], more: object = {}) =>
  (await take(rows, more)).map(({ status, error }) => error?.code ?? status)
const organization = async () =>
  (await admin.post('/api/admin/organizations', { name: 'Crabs' })).json<{ id: string }>().id

const waitingForLocks = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
  return rows[0]?.count
}

describe('POST /admin/emoji_ids/import', () => {
  it('grants ids to every kind of owner, as single grants do, and signs their records', async () => {
    const owner = await confirmedUser(service)
    const [pubkey] = (await owner.get('/api/pubkeys')).json<string[]>()
    const organization_id = await organization()
    const owners = [
      { user_id: owner.id },
      { email: owner.email.toUpperCase() },
      { pubkey },
      { organization_id },
    ]
    const rows = owners.map((one) => ({ emoji_id: newId(), ...one, records: [bitcoin] }))
    expect(await outcomes(rows)).toEqual(rows.map(() => 'granted'))
    const ids = rows.map(({ emoji_id }) => emoji_id)
    expect((await owner.get('/api/emoji_id')).json<string[]>().sort()).toEqual(
      ids.slice(0, 3).sort(),
    )
    for (const id of ids) {
      expect(await recordsOf(service, id)).toMatchObject([bitcoin])
      const { pubkey: holder, signature, version } = await proofOf(service, id)
      expect(signature?.signer).toBe(holder)
      expect(version).toBeGreaterThan(0)
    }
    const { data } = (
      await admin.get(`/api/admin/audit?event=emoji_id.granted&subject_id=${owner.id}`)
    ).json<{ data: { actor_id: string; details: { emoji_id: string } }[] }>()
    expect(data.map(({ details }) => details.emoji_id)).toEqual(
      expect.arrayContaining(ids.slice(0, 3)),
    )
    expect(data[0]?.actor_id).toBe(admin.id)
  })

  it('carries out valid rows and explains each invalid one', async () => {
    const [good, takenId, heldId] = [newId(), newId(), newId()]
    await grant(admin, { user_id: admin.id }, takenId)
    await service.db
      .insertInto('holds')
      .values({
        emoji_id: heldId,
        user_id: anna.id,
        order_id: randomUUID(),
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute()
    const [gonePerson, squatter] = [
      await newcomer(service, { password: goodPassword }),
      await newcomer(service, { password: goodPassword }),
    ]
    await admin.post(`/api/admin/users/${gonePerson.id}/deactivate`, { reason: 'test' })
    const user_id = anna.id
    const rows = [
      { emoji_id: 'x', user_id },
      { emoji_id: good, user_id, records: [bitcoin, { tag: '0x0005', data: 'Crab' }] },
      { emoji_id: good, user_id },
      { emoji_id: takenId, user_id },
      { emoji_id: heldId, user_id },
      { emoji_id: newId(), user_id: 'unknown' },
      { emoji_id: newId(), user_id: randomUUID() },
      { emoji_id: newId(), user_id: gonePerson.id },
      { emoji_id: newId(), user_id, email: anna.email },
      { emoji_id: newId(), organization_id: randomUUID() },
      { emoji_id: newId(), pubkey: 'ab'.repeat(32) },
      { emoji_id: newId(), user_id, records: [{ tag: '0x1003', data: 'nowhere' }] },
      { emoji_id: newId(), user_id, records: [bitcoin, bitcoin] },
      { emoji_id: newId() },
      { emoji_id: newId(), records: [bitcoin] },
      { emoji_id: newId(), email: squatter.email },
      { emoji_id: newId(), user_id: squatter.id },
    ]
    const results = await take(rows)
    expect(results.map(({ error, status }) => error?.code ?? status)).toEqual([
      'unknown_emoji',
      'granted',
      'repeated',
      'taken',
      'pending_purchase',
      'invalid_owner',
      'unknown_user',
      'inactive_owner',
      'missing_owner',
      'unknown_organization',
      'unproven_key',
      expect.stringContaining('address'),
      'uniqueness',
      'missing_owner',
      'unregistered_emoji_id',
      // An attacker can register with a foreign address, but cannot guess a user id.
      'unconfirmed_email',
      'granted',
    ])
    expect(results.find(({ error }) => error?.code === 'missing_owner')?.error?.message).toContain(
      'email',
    )
    expect(results.map(({ emoji_id }) => emoji_id)).toEqual(rows.map(({ emoji_id }) => emoji_id))
    expect(await recordsOf(service, good)).toHaveLength(2)
  })

  it('changes nothing when the same rows are sent again, and only the records that differ', async () => {
    const [id, other] = [newId(), newId()]
    const rows = [
      { emoji_id: id, user_id: anna.id, records: [bitcoin] },
      { emoji_id: other, email: anna.email },
    ]
    expect(await outcomes(rows)).toEqual(['granted', 'granted'])
    const { version } = await proofOf(service, id)
    expect(await outcomes(rows)).toEqual(['unchanged', 'unchanged'])
    expect((await proofOf(service, id)).version).toBe(version)
    expect(await outcomes([{ emoji_id: id, records: [otherBitcoin] }])).toEqual(['changed'])
    expect(await recordsOf(service, id)).toMatchObject([otherBitcoin])
    const { signature, version: next } = await proofOf(service, id)
    expect([next > version, signature !== null]).toEqual([true, true])
  })

  it('rolls back a dry run', async () => {
    const [fresh, grantedId] = [newId(), await grant(admin, { user_id: anna.id })]
    const rows = [
      { emoji_id: fresh, user_id: anna.id, records: [bitcoin] },
      { emoji_id: grantedId, records: [bitcoin] },
      { emoji_id: '🈵', user_id: anna.id },
    ]
    expect(await outcomes(rows, { dry_run: true })).toEqual(['granted', 'changed', 'unknown_emoji'])
    expect((await service.get(`/api/emoji_id/${encodeURIComponent(fresh)}`)).status).toBe(404)
    expect(await recordsOf(service, grantedId)).toEqual([])
  })

  describe('records of an id that has others', () => {
    const name = { tag: '0x0005', data: 'Crab' }
    const kaspa = { tag: '0x3fff', data: 'KAS|kaspa:qz0a' }
    const all = [name, bitcoin, { tag: '0x3fff', data: 'XYZ|xyz-1' }, kaspa]
    const owned = async () => {
      const emoji_id = newId()
      expect(await outcomes([{ emoji_id, user_id: anna.id, records: all }])).toEqual(['granted'])
      return emoji_id
    }

    it('replace their own categories, one ticker of 0x3fff among them', async () => {
      const emoji_id = await owned()
      const records = [{ tag: '0x3fff', data: 'XYZ|xyz-2' }, otherBitcoin]
      const change = { added: records, removed: [bitcoin, all[2]] }
      const [tried] = await take([{ emoji_id, records }], { dry_run: true })
      expect(tried).toMatchObject({ status: 'changed', added: expect.arrayContaining(records) })
      expect(tried).toMatchObject({ removed: change.removed })
      expect(await outcomes([{ emoji_id, records }])).toEqual(['changed'])
      expect(await recordsOf(service, emoji_id)).toMatchObject([
        name,
        otherBitcoin,
        records[0],
        kaspa,
      ])
      expect(await outcomes([{ emoji_id, records }])).toEqual(['unchanged'])
      expect(await outcomes([{ emoji_id, records: [] }])).toEqual(['unchanged'])
    })

    it('records of an id that has others are removed with replace_all only', async () => {
      const emoji_id = await owned()
      const rows = [{ emoji_id, records: [kaspa] }]
      const [tried] = await take(rows, { dry_run: true, replace_all: true })
      expect(tried).toMatchObject({ added: [], removed: all.slice(0, 3) })
      expect(await outcomes(rows, { replace_all: true })).toEqual(['changed'])
      expect(await recordsOf(service, emoji_id)).toMatchObject([kaspa])
      expect(await outcomes([{ emoji_id, records: [] }], { replace_all: true })).toEqual([
        'changed',
      ])
      expect(await recordsOf(service, emoji_id)).toEqual([])
    })

    it('records of an id that has others are listed in part if their data is long', async () => {
      const long = { tag: '0x7001', data: 'a'.repeat(300) }
      const [granted] = await take([{ emoji_id: newId(), user_id: anna.id, records: [long] }], {
        dry_run: true,
      })
      expect(granted).toMatchObject({
        added: [{ tag: '0x7001', data: `${long.data.slice(0, 200)}…` }],
      })
    })

    it('count against the limit of an id', async () => {
      const emoji_id = newId()
      const named = (count: number, tag: string) =>
        Array.from({ length: count }, (_, number) => ({ tag, data: `Crab ${number}` }))
      const rows = [{ emoji_id, user_id: anna.id, records: named(150, '0x0005') }]
      expect(await outcomes(rows)).toEqual(['granted'])
      expect(
        await outcomes([
          {
            emoji_id,
            records: named(51, '0x4001').map(({ data }, at) => ({
              tag: '0x4001',
              data: `https://example.com/${at}?${data.length}`,
            })),
          },
        ]),
      ).toEqual(['too_many_records'])
    })
  })

  it('grants an id that two concurrent imports want to one of them', async () => {
    const bert = await newcomer(service, { password: goodPassword })
    const ids = Array.from({ length: 20 }, newId)
    const rowsOf = (user_id: string) => ids.map((emoji_id) => ({ emoji_id, user_id }))
    const [one = [], other = []] = await Promise.all([
      outcomes(rowsOf(anna.id)),
      outcomes(rowsOf(bert.id).reverse()),
    ])
    const granted = ids.map((_id, place) =>
      [one[place], other[ids.length - 1 - place]].filter((outcome) => outcome === 'granted'),
    )
    expect(granted).toEqual(ids.map(() => ['granted']))
  })

  it('accepts ids that an interrupted import of the same file granted meanwhile', async () => {
    const [id, other, changedId] = [newId(), newId(), newId()]
    const bert = await newcomer(service, { password: goodPassword })
    const rows = [
      { emoji_id: id, user_id: anna.id },
      { emoji_id: other, user_id: bert.id },
      { emoji_id: changedId, user_id: anna.id, records: [bitcoin] },
    ]
    const [pubkey = ''] = (await anna.get('/api/pubkeys')).json<string[]>()
    const state = { generation: 1, pubkey, blocked_until: null, token_id: null, bought_at: null }
    const insertion = await service.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('emoji_ids')
        .values(rows.map(({ emoji_id }) => ({ ...state, emoji_id, display_format: emoji_id })))
        .execute()
      const outcomeList = outcomes(rows)
      await expect.poll(waitingForLocks).toBeGreaterThan(0)
      return { waiting: outcomeList }
    })
    expect(await insertion.waiting).toEqual(['unchanged', 'taken', 'changed'])
    expect(await recordsOf(service, changedId)).toMatchObject([bitcoin])
    expect((await proofOf(service, changedId)).signature).not.toBeNull()
  })

  it('responds busy when another transaction holds a lock that it needs', async () => {
    const rows = [{ emoji_id: await grant(admin, { user_id: anna.id }), records: [bitcoin] }]
    await service.db.transaction().execute(async (trx) => {
      await sql`select from emoji_ids where emoji_id = ${rows[0]?.emoji_id} for update`.execute(trx)
      const answer = send(rows)
      await expect.poll(waitingForLocks).toBeGreaterThan(0)
      // The database cancels a statement like this after its time limit.
      await sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
      expect([(await answer).status, (await answer).json()['code']]).toEqual([503, 'busy'])
      expect((await answer).headers.get('retry-after')).toBe('1')
    })
    expect(await outcomes(rows)).toEqual(['changed'])
  })

  it('rejects more than a thousand rows', async () => {
    const rows = Array.from({ length: 1_001 }, () => ({ emoji_id: '🔥🐍', user_id: anna.id }))
    expect((await send(rows)).status).toBe(400)
    expect((await send([])).status).toBe(400)
  })
})

describe('GET /admin/emoji_ids/export', () => {
  type Part = { data: { emoji_id: string; user_id: string }[]; next: string | null }
  it('pages through all ids once, in a form that can be imported', async () => {
    const id = newId()
    await take([{ emoji_id: id, user_id: anna.id, records: [bitcoin] }])
    const seenRows: Part['data'] = []
    for (let after: string | null = ''; after !== null; ) {
      const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
      const part = (await admin.get(`/api/admin/emoji_ids/export?limit=7${query}`)).json<Part>()
      seenRows.push(...part.data)
      after = part.next
    }
    const { total } = await service.db
      .selectFrom('emoji_ids')
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow()
    expect(seenRows.length).toBe(Number(total))
    expect(new Set(seenRows.map(({ emoji_id }) => emoji_id)).size).toBe(seenRows.length)
    expect(seenRows.find(({ emoji_id }) => emoji_id === id)).toMatchObject({
      user_id: anna.id,
      records: [bitcoin],
    })
    expect((await anna.get('/api/admin/emoji_ids/export')).status).toBe(403)
  })
})

it('an import requires an administrator with a fresh code, and a scope for its records', async () => {
  const rows = [{ emoji_id: newId(), user_id: anna.id, records: [bitcoin] }]
  expect((await anna.post('/api/admin/emoji_ids/import', { rows })).status).toBe(403)
  expect((await service.post('/api/admin/emoji_ids/import', { rows })).status).toBe(401)
  const response = await admin.post('/api/api_keys', { name: 'k', scopes: ['adminEmoji:register'] })
  const key = { headers: { 'x-api-key': response.json<{ api_key: string }>().api_key } }
  expect((await service.post('/api/admin/emoji_ids/import', { rows }, key)).status).toBe(403)
  const careful = await registerAs(service, 'Admin')
  await enableApp(service, careful)
  service.clock.advance(14 * 60_000)
  const fresh = await service.post('/api/auth/token/refresh', {
    refresh_token: careful.tokens.refresh_token,
  })
  service.clock.advance(2 * 60_000)
  const credentials = bearer(fresh.json<{ access_token: string }>().access_token)
  const stale = await service.post('/api/admin/emoji_ids/import', { rows }, credentials)
  expect(stale.status, stale.body).toBe(424)
})
