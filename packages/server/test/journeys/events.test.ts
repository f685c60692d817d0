import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { disputeSteps } from '../support/disputes.ts'
import { at, grant, newId } from '../support/ids.ts'
import { makeBox } from '../support/lootboxes.ts'
import { type Person, press, registerAs } from '../support/people.ts'
import { buyer, type Order, type ShopService, shopService } from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

/** Every cause of an event, by the operation that people use. */
let shop: ShopService
let admin: Person
let steps: ReturnType<typeof transferSteps>
let disputes: ReturnType<typeof disputeSteps>
beforeAll(async () => {
  shop = await shopService({ LOOTBOX_SALE: 'true', MINT_AFTER_CARD_DAYS: '0' })
  admin = await registerAs(shop, 'Admin')
  steps = transferSteps(shop, admin)
  disputes = disputeSteps(shop)
})
afterAll(() => shop.close())

const bitcoin = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
const otherBitcoin = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
const inAdmin = (id: string, rest = '') => `/api/admin/emoji_ids/${encodeURIComponent(id)}${rest}`
const expectDone = (answer: { status: number; body: string }) =>
  expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, ''])

type Row = {
  type: string
  data: { version?: number; tags?: string[]; order_id?: string; emoji_ids?: string[] }
  user_ids: string[]
  organization_ids: string[]
}
/** The events of an id, oldest first. */
const eventsOf = async (id: string) =>
  (
    await sql<Row>`select type, data, user_ids, organization_ids from events
      where emoji_id = ${id} order by id`.execute(shop.db)
  ).rows
const typesOf = async (id: string) =>
  (await eventsOf(id)).map(({ type }) => type.replace('emoji_id.', ''))
const ordersOf = async (order_id: string) =>
  (
    await sql<Row>`select type, data, user_ids, organization_ids from events
      where data ->> 'order_id' = ${order_id} order by id`.execute(shop.db)
  ).rows

async function buyOwnId() {
  const person = await buyer(shop)
  return { person, id: await grant(admin, { user_id: person.id }) }
}

it('a grant, an edit, an operator’s edit and an undo each write an event', async () => {
  const { person, id } = await buyOwnId()
  expectDone(await person.patch(at(id), { insert: [bitcoin, { tag: '0x5001', data: 'me' }] }))
  expectDone(await person.patch(at(id), { insert: [otherBitcoin] }))
  expectDone(await press(shop, await shop.linkTo(person.email, 2)))
  expectDone(await admin.patch(at(id), { insert: [otherBitcoin], reason: 'They asked for it' }))
  const events = await eventsOf(id)
  expect(events.map(({ type, data }) => [type.replace('emoji_id.', ''), data.tags])).toEqual([
    ['registered', []],
    ['records_changed', ['0x1003', '0x5001']],
    ['records_changed', ['0x1003']],
    ['records_changed', ['0x1003']],
    ['records_changed', ['0x1003']],
  ])
  const versions = events.map(({ data }) => Number(data.version))
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
  expect(events.every(({ user_ids }) => user_ids.join() === person.id)).toBe(true)
})

it('an import writes events of new ids and of changed records', async () => {
  const person = await buyer(shop)
  const emoji_id = newId()
  const row = (record: object) => ({ emoji_id, user_id: person.id, records: [record] })
  const importRow = (record: object) =>
    admin.post('/api/admin/emoji_ids/import', { rows: [row(record)], reason: 'A migration' })
  expectDone(await importRow(bitcoin))
  expectDone(await importRow(otherBitcoin))
  expect(await typesOf(emoji_id)).toEqual(['registered', 'records_changed', 'records_changed'])
})

it('a delayed change writes an event when the next lookup applies it', async () => {
  const { person, id } = await buyOwnId()
  expectDone(await person.put(at(id, '/delay_lock'), { hours: 1 }))
  expectDone(await person.patch(at(id), { insert: [bitcoin] }))
  expect(await typesOf(id)).toEqual(['registered'])
  shop.clock.advance(61 * 60_000)
  await expect
    .poll(async () => (await shop.get(at(id))).json<{ result: object[] }>().result)
    .toHaveLength(1)
  expect(await typesOf(id)).toEqual(['registered', 'records_changed'])
  shop.clock.advance(-61 * 60_000)
})

it('a suspension and a restoration each write an event, of one id and with the account', async () => {
  const { person, id } = await buyOwnId()
  expectDone(await admin.post(inAdmin(id, '/suspend'), { reason: 'Phishing' }))
  expectDone(await admin.post(inAdmin(id, '/restore'), { reason: 'A mistake' }))
  expectDone(await admin.post(`/api/admin/users/${person.id}/deactivate`, { reason: 'Scammer' }))
  expectDone(await admin.post(`/api/admin/users/${person.id}/activate`, { reason: 'A mistake' }))
  expect(await typesOf(id)).toEqual([
    'registered',
    'suspended',
    'restored',
    'suspended',
    'restored',
  ])
})

it('a release by the owner and a revocation by an operator each write an event', async () => {
  const [own, other] = [await buyOwnId(), await buyOwnId()]
  expectDone(await own.person.delete(at(own.id)))
  expectDone(await admin.delete(`${inAdmin(other.id)}?reason=abuse`))
  for (const { id } of [own, other]) expect(await typesOf(id)).toEqual(['registered', 'released'])
})

it('a transfer with both codes writes three events, a forced one writes one', async () => {
  const { anna, bert, id, transfer, code } = await steps.offered()
  expectDone(await steps.accept(bert, transfer, code))
  const events = await eventsOf(id)
  const both = [anna.id, bert.id].toSorted()
  expect(
    events
      .filter(({ type }) => type !== 'emoji_id.registered')
      .map(({ type, user_ids }) => [type, user_ids.toSorted()]),
  ).toEqual([
    ['transfer.offered', both],
    ['emoji_id.transferred', both],
    ['transfer.accepted', both],
  ])
  expect(JSON.stringify(events.map(({ data }) => data))).not.toMatch(/@|email/)
  const forced = await buyOwnId()
  const to = await buyer(shop)
  const body = { eid: forced.id, email: to.email, force_transfer: true, reason: 'A court said so' }
  expectDone(await admin.post('/api/transfers', body))
  expect(await typesOf(forced.id)).toEqual(['registered', 'transferred'])
})

it('a purchase in a partner’s flow and its refund write events for buyer and partner', async () => {
  const partner = (
    await admin.post('/api/admin/organizations', { name: 'Wallet', partner_path: 'wallet' })
  ).json<{ id: string }>()
  const person = await buyer(shop)
  const id = newId()
  const { order } = await disputes.boughtAtPage(person, [{ emoji_id: id }], partner.id)
  expectDone(await admin.post(`/api/orders/${order.id}/refund`, { reason: 'asked for it' }))
  expect(await typesOf(id)).toEqual(['registered', 'released'])
  expect(await ordersOf(order.id)).toEqual(
    ['order.paid', 'order.refunded'].map((type) => ({
      type,
      data: { order_id: order.id, organization_id: partner.id, emoji_ids: [id] },
      user_ids: [person.id],
      organization_ids: [partner.id],
    })),
  )
})

it('a lost chargeback revokes the id in its events, a refund of money only does not', async () => {
  const person = await buyer(shop)
  const [id, other] = [newId(), newId()]
  const lostOrder = await disputes.boughtByCard(person, [id])
  await disputes.close(await disputes.open(lostOrder.payment), 'lost')
  await disputes.waitForStatus(lostOrder.order, 'lost')
  expect(await typesOf(id)).toEqual(['released'])
  expect((await ordersOf(lostOrder.order.id)).map(({ type }) => type)).toEqual(['order.refunded'])
  const part = await disputes.boughtByCard(person, [other])
  const misc = { amount_in_cents: 100, reason: 'goodwill' }
  expectDone(await admin.post(`/api/orders/${part.order.id}/misc_refund`, misc))
  expect(await typesOf(other)).toEqual([])
  expect((await ordersOf(part.order.id)).map(({ data }) => data.emoji_ids)).toEqual([[]])
})

it('an order that a code pays and an opened lootbox each register their ids in an event', async () => {
  const person = await buyer(shop)
  const free = (await makeCode(admin, redemptionCode({ discount_as_percentage: 100 })))
    .redemption_code
  const id = newId()
  await person.pending('CardCheckout', [id])
  await person.promo(free ?? '')
  const order: Order = await person.checkout('Free')
  expect(order.status).toBe('Paid')
  expect(await typesOf(id)).toEqual(['registered'])
  expect(await ordersOf(order.id)).toHaveLength(1)
  const boxed = newId()
  const box = await makeBox(admin, { yats: [boxed], status: 'Owned', owner_id: person.id })
  expectDone(await person.post(`/api/lootboxes/${box.id}/open`))
  expect(await typesOf(boxed)).toEqual(['registered'])
})
