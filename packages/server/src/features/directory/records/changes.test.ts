import { createHash } from 'node:crypto'
import { parseEmojiId, recordHash, type Tag } from '@emojid/core'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, recordsOf, type StoredRecord } from '../../../../test/support/ids.ts'
import { masterKey, mintSignerKey, signingKey } from '../../../../test/support/own-keys.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'
import { readConfig } from '../../../config.ts'
import { createContainer } from '../../../container.ts'
import { createEthereumSigner } from '../../../platform/crypto/ethereum.ts'
import { createKeyRing } from '../../../platform/crypto/key-ring.ts'
import { createSealer } from '../../../platform/crypto/seal.ts'
import { transact } from '../../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import { createPool } from '../../../platform/database/pool.ts'
import { createPrepare } from '../../../platform/database/prepared.ts'
import { createLog } from '../../../platform/log/log.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword, isVerified: true })
})

type Change = {
  version: number
  by: string
  undoes: number | null
  added: StoredRecord[]
  removed: StoredRecord[]
  is_kept: boolean
}
type Page = { data: Change[]; paging: { total: number; limit: number } }

const first = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const second = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const write = (person: Pick<Person, 'patch'>, id: string, data: string, tag = '0x1003') =>
  person.patch(at(id), { insert: [{ tag, data }] })
const changes = async (person: Pick<Person, 'get'>, id: string, query = '') =>
  (await person.get(at(id, `/changes?${query}`))).json<Page>()
const dataOf = (records: readonly StoredRecord[]) => records.map(({ data }) => data)

describe('GET /emoji_id/{id}/changes', () => {
  it('lists added and removed records with their author, page by page', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, first)
    await write(anna, id, 'Anna', '0x0005')
    await write(admin, id, second)
    const { data, paging } = await changes(anna, id)
    expect(paging.total).toBe(3)
    expect(data.map(({ by }) => by)).toEqual(['other', 'you', 'you'])
    expect(data.map(({ added }) => dataOf(added))).toEqual([[second], ['Anna'], [first]])
    expect(data.map(({ removed }) => dataOf(removed))).toEqual([[first], [], []])
    const page = await changes(anna, id, 'limit=1&page=1')
    expect(page.data).toEqual([data[1]])
    expect((await changes(anna, id, 'limit=2')).data).toEqual(data.slice(0, 2))
  })

  it('names the change that was undone', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, first)
    const [{ version } = { version: 0 }] = (await changes(anna, id)).data
    await service.db
      .updateTable('record_history')
      .set({ undoes: version })
      .where('version', '=', version)
      .execute()
    expect((await changes(anna, id)).data[0]?.undoes).toBe(version)
  })

  it('says which changes no longer have their records: all before the last 100', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, 'oldest', '0x5001')
    const states = service.db.selectFrom('record_history').where('emoji_id', '=', id)
    const { version, records_sha256 } = await states
      .select(['version', 'records_sha256'])
      .executeTakeFirstOrThrow()
    const text = JSON.stringify(await recordsOf(service, id))
    expect(records_sha256).toBe(createHash('sha256').update(text).digest('hex'))
    // Old enough that no undo link needs it.
    const changed_at = new Date(Date.now() - 3 * 3_600_000)
    await service.db
      .updateTable('record_history')
      .set({ changed_at })
      .where('emoji_id', '=', id)
      .execute()
    const { rows } = await sql<{ version: number }>`
      insert into record_history (emoji_id, version, changed_at, records, linked)
      select ${id}, nextval('record_versions'), ${changed_at}, '[]', '{}'
      from generate_series(1, 99) returning version`.execute(service.db)
    expect(rows).toHaveLength(99)
    const kept = async () =>
      (await changes(anna, id, 'limit=200')).data.filter(({ is_kept }) => !is_kept)
    expect(await kept()).toEqual([])
    await write(anna, id, 'newest', '0x5001')

    expect(await kept()).toEqual([
      expect.objectContaining({ version: rows[0]?.version, added: [], removed: [] }),
      expect.objectContaining({ version, added: [], removed: [], records_sha256 }),
    ])
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(100)
  })

  it('keeps the records of states from the last two hours, for undo links', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, first)
    await sql`
      insert into record_history (emoji_id, version, changed_at, records, linked)
      select ${id}, nextval('record_versions'), now(), '[]', '{}'
      from generate_series(1, 99)`.execute(service.db)
    await write(anna, id, second)
    const { data } = await changes(anna, id, 'limit=200')
    expect(data.every(({ is_kept }) => is_kept)).toBe(true)
    const { rows } = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key like ${`records.reduce ${id} %`}`.execute(
      service.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('marks a colleague of the same organization', async () => {
    const organization = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const { id: organization_id } = organization.json<{ id: string }>()
    const ben = await newcomer(service, { password: goodPassword })
    for (const { id } of [anna, ben])
      await admin.put(`/api/admin/organizations/${organization_id}/members/${id}`, {
        role: 'OrgController',
      })
    const id = await grant(admin, { organization_id })
    expect((await write(ben, id, first)).status).toBe(200)
    expect((await changes(anna, id)).data[0]?.by).toBe('colleague')
    expect((await changes(ben, id)).data[0]?.by).toBe('you')
  })

  it('GET /emoji_id/{id}/changes is refused to other users, although the records are public', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, first)
    expect((await recordsOf(service, id)).length).toBe(1)
    expect((await service.get(at(id, '/changes'))).status).toBe(401)
    expect(
      (await (await newcomer(service, { password: goodPassword })).get(at(id, '/changes'))).status,
    ).toBe(403)
  })
})

describe('a deceptive character', () => {
  const hidden = 'abc\u200Bdef'

  it('a deceptive character is rejected by its code point, in addresses and in labels', async () => {
    const id = await grant(admin, { user_id: anna.id })
    for (const [tag, data, named] of [
      ['0x3fff', `ABC|${hidden}`, 'U+200B'],
      ['0x2fff', 'p\u0430ypal', 'U+0430'],
      ['0x6200', 'p\u0430ypal', 'U+0430'],
      ['0x6300', `ABC|Abc|NEW|${hidden}`, 'U+200B'],
      ['0x1003', `${first}|my\u2060label`, 'U+2060'],
    ] as const) {
      const answer = await write(anna, id, data, tag)
      expect([tag, answer.status]).toEqual([tag, 422])
      expect(answer.body).toContain(named)
    }
    expect(await recordsOf(service, id)).toEqual([])
  })

  it('a deceptive character stays in data stored earlier, which can still be read and removed', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await write(anna, id, 'ABC|abcdef', '0x3fff')
    const data = `ABC|${hidden}`
    const records = JSON.stringify([
      { tag: '0x3fff', data, hash: recordHash('0x3fff' as Tag, data) },
    ])
    await service.db
      .updateTable('record_sets')
      .set({ records })
      .where('emoji_id', '=', id)
      .execute()
    expect((await write(anna, id, first)).status).toBe(200)
    const storedRecords = await recordsOf(service, id)
    expect(dataOf(storedRecords)).toEqual([data, first])
    const [old] = storedRecords as [StoredRecord]
    expect((await anna.patch(at(id), { delete: [old.hash] })).status).toBe(200)
    expect(dataOf(await recordsOf(service, id))).toEqual([first])
  })
})

const log = createLog('silent')
/** Trusts its cache for ever and never gets a notice. */
const deaf = {
  isAway: () => false,
  whenAway: () => {},
  isCurrent: () => true,
  listen: () => {},
} as unknown as DatabaseMonitor

it('a writer reads its own change immediately, even without a notice', async () => {
  const { db, database } = service
  const pool = createPool({ connection: database?.connection ?? {}, size: 1, log, name: 'deaf' })
  const deafened = createContainer({
    config: readConfig({}),
    db,
    prepare: createPrepare(pool, deaf),
    monitor: deaf,
    log,
    gateways: {},
    sealer: createSealer([masterKey]),
    keyRing: await createKeyRing([signingKey]),
    mintSigner: createEthereumSigner(mintSignerKey),
    now: () => new Date(),
    announce: () => {},
  })
  const { records, edits } = deafened
  const id = parseEmojiId(await grant(admin, { user_id: anna.id }))
  const readData = async () => (await records.lookUpRecords(id)).map(({ data }) => data)
  await readData()
  const changedRecords = [{ tag: '0x5001', data: 'changed' }]
  await transact(db, (trx) => edits.writeDemoRecords(trx, id, changedRecords))
  const after = await readData()
  await deafened.stop()
  await pool.end()

  expect(after).toEqual(['changed'])
})
