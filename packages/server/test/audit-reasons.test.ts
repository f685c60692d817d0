import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, grant, insertOwnedId, newId } from './support/ids.ts'
import {
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  registerAs,
} from './support/people.ts'
import { keyPair } from './support/schnorr.ts'
import { enableApp, enterCode } from './support/second-factor.ts'
import { transferSteps } from './support/transfers.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService({ env: { TWO_FACTOR_GRACE_SECONDS: '100' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

const reason = 'Ticket 4711 of the support'
const reasonQuery = `reason=${encodeURIComponent(reason)}`
type Entry = { details: Record<string, unknown> }
const findAuditEntries = async (event: string, actor_id = admin.id) => {
  const page = await admin.get(`/api/admin/audit?event=${event}&actor_id=${actor_id}&limit=1`)
  return page.json<{ data: Entry[] }>().data[0]?.details
}
/** A user with an id. */
async function owner() {
  const person = await newcomer(service, { isVerified: true })
  return { person, id: await insertOwnedId(service, person.id) }
}
const insert = [{ tag: '0x0002', data: 'Guitars' }]

type Write = () => Promise<{ status: number }>
const writes: [what: string, event: string, write: Write][] = [
  [
    'giving an id',
    'emoji_id.granted',
    async () =>
      admin.post('/api/admin/emoji_ids', { emoji_id: newId(), user_id: admin.id, reason }),
  ],
  [
    'taking one away',
    'emoji_id.released',
    async () => admin.delete(`/api/admin/emoji_ids/${(await owner()).id}?${reasonQuery}`),
  ],
  [
    'moving one to another user',
    'transfer.forced',
    async () => {
      const to = await newcomer(service, { isVerified: true })
      const body = { eid: (await owner()).id, email: to.email, force_transfer: true, reason }
      return admin.post('/api/transfers', body)
    },
  ],
  [
    'saying that it is minted',
    'token.minted',
    async () =>
      admin.put(`/api/admin/emoji_ids/${(await owner()).id}/minted`, { minted: true, reason }),
  ],
  [
    'writing records of others',
    'records.changed',
    async () => admin.patch(at((await owner()).id), { insert, reason }),
  ],
  [
    'setting a delay lock of others',
    'delay_lock.changed',
    async () => admin.put(at((await owner()).id, '/delay_lock'), { hours: 24, reason }),
  ],
  [
    'writing an address that waits',
    'records.change_planned',
    async () => {
      const { id } = await owner()
      await admin.put(at(id, '/delay_lock'), { hours: 24 })
      return admin.patch(at(id), { insert: [{ tag: '0x3fff', data: 'ABC|abc' }], reason })
    },
  ],
  [
    'cancelling one',
    'records.change_cancelled',
    async () => {
      const { id } = await owner()
      await admin.put(at(id, '/delay_lock'), { hours: 24 })
      await admin.patch(at(id), { insert: [{ tag: '0x3fff', data: 'ABC|abc' }] })
      return admin.delete(at(id, `/waiting_change?${reasonQuery}`))
    },
  ],
  [
    'writing a page of others',
    'store.changed',
    async () => admin.post(at((await owner()).id, '/json/SvcPageData'), { data: {}, reason }),
  ],
  [
    'importing ids',
    'emoji_id.granted',
    async () =>
      admin.post('/api/admin/emoji_ids/import', {
        rows: [{ emoji_id: newId(), user_id: admin.id }],
        reason,
      }),
  ],
  [
    'importing records with a new id',
    'records.changed',
    async () =>
      admin.post('/api/admin/emoji_ids/import', {
        rows: [{ emoji_id: newId(), user_id: admin.id, records: insert }],
        reason,
      }),
  ],
  [
    'importing records of an owned id',
    'records.changed',
    async () =>
      admin.post('/api/admin/emoji_ids/import', {
        rows: [{ emoji_id: (await owner()).id, records: insert }],
        reason,
      }),
  ],
  [
    'listing a key for a user',
    'pubkey.added',
    async () => {
      const { id } = await newcomer(service)
      return admin.post(`/api/users/${id}/pubkeys/${keyPair().pubkey}?${reasonQuery}`)
    },
  ],
]

describe('the audit log', () => {
  it.each(writes)('the audit log has the reason: %s', async (_, event, write) => {
    const answer = await write()
    expect(answer.status).toBe(200)
    expect(await findAuditEntries(event)).toMatchObject({ reason })
  })

  it('the audit log has no reason if the operator gave none', async () => {
    await grant(admin, { user_id: admin.id })
    expect(await findAuditEntries('emoji_id.granted')).not.toHaveProperty('reason')
  })
})

describe('a transfer between other users', () => {
  it('a transfer between other users is cancelled by an operator with a fresh code and a reason', async () => {
    const { inserted, accept, path } = transferSteps(service, admin)
    const operator = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, operator)
    const [open, over] = [await inserted('awaiting_sender'), await inserted('awaiting_receiver')]
    expect((await accept(over.bert, over.transfer, over.code)).status).toBe(200)
    service.clock.advance(101_000)
    for (const { transfer } of [open, over]) {
      const refusal = await operator.delete(path(transfer))
      expect([refusal.status, refusal.json()['code']]).toEqual([424, 'two_factor_required'])
    }
    const [still] = (await open.anna.get('/api/transfers')).json<{ data: object[] }>().data
    expect(still).toMatchObject({ deleted_at: null })
    const fresh = await enterCode(service, operator.tokens, app.next())
    const steps = [
      ['transfer.closed', open],
      ['transfer.deleted', over],
    ] as const
    for (const [event, { transfer }] of steps) {
      expect((await fresh.delete(path(transfer, `?${reasonQuery}`))).status).toBe(200)
      expect(await findAuditEntries(event, operator.id)).toMatchObject({
        transfer_id: transfer.id,
        reason,
      })
    }
  })

  it('a transfer between other users is cancelled by its sender without a reason', async () => {
    const { inserted, path } = transferSteps(service, admin)
    const { anna, transfer } = await inserted('awaiting_sender')
    await enableApp(service, anna)
    service.clock.advance(101_000)
    expect((await anna.delete(path(transfer))).status).toBe(200)
  })
})
