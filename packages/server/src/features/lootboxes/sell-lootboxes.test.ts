import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../../../test/support/codes.ts'
import { newId } from '../../../test/support/ids.ts'
import {
  type Box,
  type BoxType,
  generate,
  makeBox,
  makeType,
  proofOf,
} from '../../../test/support/lootboxes.ts'
import { type Person, registerAs } from '../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  payWithCash,
  type ShopService,
  shopService,
} from '../../../test/support/shop.ts'
import { stopTheClock } from '../../../test/support/stopped-clock.ts'

let shop: ShopService
let admin: Person
let type: BoxType
beforeAll(async () => {
  shop = await shopService({ LOOTBOX_SALE: 'true', FREE_CEILING_CENTS: '100000000' })
  admin = await registerAs(shop, 'Admin')
  type = await makeType(admin, {}, 900)
})
afterAll(() => shop.close())

const boxForSale = async (): Promise<Box> => {
  const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
  return (await admin.patch(path(box), { status: 'Available' })).json<Box>()
}
const path = ({ id }: Pick<Box, 'id'>, rest = '') => `/api/lootboxes/${id}${rest}`
const readBox = async (box: Box) => (await admin.get(path(box))).json<Box>()
const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const put = async (person: Buyer, box: Box, ids: string[] = []) => {
  const items = [{ lootbox_id: box.id }, ...ids.map((emoji_id) => ({ emoji_id }))]
  return person.post('/api/cart', { items })
}
/** Paid in cash: for tests without a provider. */
const boughtWithCash = async (person: Buyer, box: Box) =>
  payWithCash(admin, (await put(person, box)).json<Order>())
const refund = (order: Order, body: object = {}) =>
  admin.post(`/api/orders/${order.id}/refund`, { reason: 'asked for it', ...body })

describe('a box for sale', () => {
  it('a box for sale is listed, bought by card together with an id, named on the receipt, and opened', async () => {
    const [person, box, id] = [await buyer(shop), await boxForSale(), newId()]
    const list = (await person.get('/api/lootboxes?status=Available')).json<{ data: Box[] }>()
    expect(list.data.find((one) => one.id === box.id)).toMatchObject({
      yats: [],
      total_value: 0,
      lootbox_type: { price_in_cents: 900 },
    })
    expect((await person.get(path(box))).status).toBe(200)
    await put(person, box, [id])
    const pending = await person.checkout('CardCheckout')
    const intent = `/payment_intents/${pending.payment_method_data?.payment_intent_id}`
    expect(await shop.cards(intent)).toMatchObject({
      description: `Order ${pending.order_number}: a lootbox, ${id}`,
    })
    await shop.pay(pending)
    const order = await person.until(pending.id, 'Paid')
    expect(order.total_in_cents).toBe(900 + 400)
    expect(order.order_items.find(({ item_type }) => item_type === 'LootBox')).toMatchObject({
      main_id: box.id,
      main_table: 'lootboxes',
      emoji_id: null,
      unit_price_in_cents: 900,
    })
    expect(order.eligible_for_refund).toBe(true)
    expect(await readBox(box)).toMatchObject({ status: 'Owned', owner_id: person.id })
    expect((await person.get('/api/emoji_id')).json()).toEqual([id])
    const { text } = await shop.mailAbout(person.email, 'receipt')
    expect(text).toContain(`${type.name} (lootbox, waits for you to open it): $9.00`)
    await shop.settle()
    const isAboutLootbox = ({ subject }: { subject?: string | undefined }) =>
      subject?.includes('lootbox')
    expect(shop.mailsTo(person.email).some(isAboutLootbox)).toBe(false)
    const openedBox = (await person.post(path(box, '/open'))).json<Box>()
    expect(openedBox.yats).toEqual(box.yats)
    const own = (await person.get('/api/emoji_id')).json<string[]>()
    expect(own.toSorted()).toEqual([id, ...box.yats].toSorted())
    // A repeated receipt does not ask to open an opened box.
    await admin.post(`/api/orders/${order.id}/resend_confirmation`)
    await shop.settle()
    const secondEmail = shop
      .mailsTo(person.email)
      .findLast(({ subject }) => subject?.includes('receipt'))
    expect(secondEmail?.text).toContain(`${type.name} (lootbox): $9.00`)
  })

  it('a box for sale is held during a checkout, and not listed for others, until that ends', async () => {
    const [first, second, box] = [await buyer(shop), await buyer(shop), await boxForSale()]
    await put(first, box)
    await put(second, box)
    const sees = async (one: Buyer) => {
      const list = await one.get('/api/lootboxes?status=Available&limit=200')
      return list.json<{ data: Box[] }>().data.some(({ id }) => id === box.id)
    }
    const pending = await first.checkout('CardCheckout')
    expect([await sees(first), await sees(second)]).toEqual([true, false])
    const refusal = await second.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect(outcomeOf(refusal)).toEqual([422, 'pending_purchase'])
    expect(refusal.json()).toMatchObject({ fields: { lootbox_id: [{ code: 'pending_purchase' }] } })
    expect(refusal.json<{ fields: object }>().fields).not.toHaveProperty('eid')
    expect((await second.cart()).order_items[0]).toMatchObject({
      marked_invalid_at_reason: 'PendingPurchase',
    })
    expect(outcomeOf(await admin.delete(path(box)))).toEqual([422, 'pending_purchase'])
    const change = { status: 'Owned', owner_id: second.id }
    expect(outcomeOf(await admin.patch(path(box), change))).toEqual([422, 'pending_purchase'])
    await first.delete('/api/cart')
    expect(await sees(second)).toBe(true)
    expect((await second.checkout('CardCheckout')).status).toBe('PendingPayment')
    expect(pending.total_in_cents).toBe(900)
  })

  it('a box for sale is sold to one of three concurrent checkouts', async () => {
    const box = await boxForSale()
    const people = await Promise.all(Array.from({ length: 3 }, () => buyer(shop)))
    await Promise.all(people.map((person) => put(person, box)))
    const answers = await Promise.all(
      people.map((person) => person.post('/api/cart/checkout', { method: 'CardCheckout' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
  })

  it.each<[string, boolean, Order['status']]>([
    ['is bought by late money while it is available', false, 'Paid'],
    ['refunds late money when another buyer has it', true, 'Cancelled'],
  ])('%s', async (_what, isGone, status) => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    await put(person, box)
    const pending = await person.checkout('CryptoCommerce')
    await person.post('/api/cart/convert_to_draft')
    if (isGone) await admin.patch(path(box), { status: 'Owned', owner_id: admin.id })
    await shop.pay(pending)
    const late = async () => (await person.orders()).find(({ id }) => id !== pending.id)
    await expect.poll(async () => (await late())?.status).toBe(status)
    expect(await late()).toMatchObject({ refunded_total_in_cents: isGone ? 900 : 0 })
    expect((await readBox(box)).owner_id).toBe(isGone ? admin.id : person.id)
  })

  it('a box for sale is not sold as a Draft, deleted or owned', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const changes = [
      makeDraft,
      (box: Box) => admin.delete(path(box)),
      (box: Box) => admin.patch(path(box), { status: 'Owned', owner_id: admin.id }),
    ]
    for (const change of changes) {
      const box = await boxForSale()
      await put(person, box)
      await change(box)
      const unsoldAnswer = await put(other, box)
      expect(outcomeOf(unsoldAnswer)).toEqual([422, 'not_for_sale'])
      expect(Object.keys(unsoldAnswer.json<{ fields: object }>().fields)).toEqual(['lootbox_id'])
      const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
      expect(outcomeOf(refusal)).toEqual([422, 'taken'])
      await person.delete('/api/cart')
    }
  })
  const makeDraft = (box: Box) =>
    shop.db.updateTable('lootboxes').set({ status: 'Draft' }).where('id', '=', box.id).execute()

  it('a box for sale is not sold once an id in it is reserved, but opens for the person who owns it', async () => {
    const person = await buyer(shop)
    const [ownedBox, offeredBox] = [await boxForSale(), await boxForSale()]
    const [draft] = (await generate(admin, type.id)).loot_boxes as [Box]
    await boughtWithCash(person, ownedBox)
    const rows = [ownedBox, offeredBox, draft].map(({ yats: [pattern] }) => ({
      pattern,
      reason: 'Ours',
    }))
    expect((await admin.post('/api/admin/reserved_ids/import', { rows })).status).toBe(200)
    expect((await admin.patch(path(draft), { status: 'Available' })).status).toBe(422)
    await put(person, offeredBox)
    const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect(refusal.status).toBe(422)
    expect(await readBox(offeredBox)).toMatchObject({ status: 'Available', owner_id: null })
    expect((await person.post(path(ownedBox, '/open'))).status).toBe(200)
  })

  it('a box for sale is limited to five per cart', async () => {
    const person = await buyer(shop)
    const { loot_boxes } = await generate(admin, type.id, 6)
    const ids = loot_boxes.map(({ id }) => id)
    const forSale = { status: 'Available' as const }
    await shop.db.updateTable('lootboxes').set(forSale).where('id', 'in', ids).execute()
    const items = loot_boxes.map(({ id }) => ({ lootbox_id: id }))
    const sixAtOnce = await person.post('/api/cart', { items })
    expect(sixAtOnce.json()).toMatchObject({ code: 'too_many_boxes', fields: { lootbox_id: [{}] } })
    expect((await person.post('/api/cart', { items: items.slice(0, 5) })).status).toBe(200)
    const sixth = await person.post('/api/cart', { items: items.slice(5) })
    expect(outcomeOf(sixth)).toEqual([422, 'too_many_boxes'])
    expect((await person.post('/api/cart', { items: [{ emoji_id: newId() }] })).status).toBe(200)
  })

  it('bears no fee of a partner whose code is used', async () => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    const founded = { name: `Crabs ${box.id}`, client_fee_percent: 10 }
    const partner = (await admin.post('/api/admin/organizations', founded)).json<{ id: string }>()
    const code = await makeCode(admin, redemptionCode({ organization_id: partner.id }))
    await put(person, box, [newId()])
    await person.checkout('CardCheckout')
    await person.post('/api/cart/promo_code', { code: code.redemption_code })
    const items = (await person.cart()).order_items.filter(({ parent_id }) => parent_id === null)
    expect(
      items.map(({ unit_price_in_cents, client_fee_in_cents }) => [
        unit_price_in_cents,
        client_fee_in_cents,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [900, 0],
        [400, 0],
      ]),
    )
  })

  it('a box for sale is not covered by free ids, not added twice, and is an item of its own', async () => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    await put(person, box)
    const repeatAnswer = await put(person, box)
    expect(outcomeOf(repeatAnswer)).toEqual([422, 'eligibility'])
    expect(Object.keys(repeatAnswer.json<{ fields: object }>().fields)).toEqual(['lootbox_id'])
    const free = await person.post('/api/cart/checkout', { method: 'Free' })
    expect(outcomeOf(free)).toEqual([422, 'missing_payment'])
    const both = { items: [{ lootbox_id: box.id, emoji_id: newId() }] }
    expect((await person.post('/api/cart', both)).status).toBe(400)
    expect((await person.post('/api/cart', { items: [{}] })).status).toBe(400)
  })
})

describe('a bought box', () => {
  it('a bought box is refunded while it is unopened, and for sale again', async () => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    const order = await boughtWithCash(person, box)
    expect((await refund(order)).json<Order>()).toMatchObject({
      refunded_total_in_cents: 900,
      eligible_for_refund: false,
    })
    expect(await readBox(box)).toMatchObject({ status: 'Available', owner_id: null })
    expect((await person.post(path(box, '/open'))).status).toBe(404)
  })

  it('a bought box can’t be taken from its buyer by an operator, and is refunded after opening only with an override', async () => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    const order = await boughtWithCash(person, box)
    const others = [{ owner_id: admin.id }, { owner_email: 'other@example.com' }]
    for (const other of others) {
      for (const status of ['Owned', 'Used']) {
        const refusal = await admin.patch(path(box), { status, ...other })
        expect(outcomeOf(refusal)).toEqual([422, 'sold_lootbox'])
      }
    }
    const same = await admin.patch(path(box), { status: 'Owned', owner_id: person.id })
    expect(same.json()).toMatchObject({ status: 'Owned', owner_id: person.id })
    expect((await person.post(path(box, '/open'))).json()).toMatchObject({ yats: box.yats })

    expect(await person.order(order.id)).toMatchObject({
      eligible_for_refund: false,
      order_items: [{ refund_obstacle: 'opened' }],
    })
    expect(outcomeOf(await refund(order))).toEqual([422, 'not_refundable'])
    expect((await refund(order, { override: true })).json<Order>()).toMatchObject({
      refunded_total_in_cents: 900,
    })
    expect((await person.get('/api/emoji_id')).json<string[]>()).toHaveLength(box.yats.length)
  })

  it('a bought box is opened or refunded, never both', async () => {
    const [person, box] = [await buyer(shop), await boxForSale()]
    const order = await boughtWithCash(person, box)
    const [openingAnswer, returnAnswer] = await Promise.all([
      person.post(path(box, '/open')),
      refund(order),
    ])
    expect(
      [openingAnswer.status, returnAnswer.status].filter((status) => status === 200),
    ).toHaveLength(1)
    const own = (await person.get('/api/emoji_id')).json<string[]>()
    expect(own).toHaveLength(openingAnswer.status === 200 ? box.yats.length : 0)
  })
})

it('the proof of every box counts what became of all boxes of its type, every ten seconds, and nothing for a box filled by hand', async () => {
  stopTheClock()
  const { id: type_id } = await makeType(admin, {}, 500)
  const owner = await buyer(shop)
  const { loot_boxes } = await generate(admin, type_id, 8)
  const [kept = '', ...others] = loot_boxes.map(({ id }) => id)
  const counts = async () => (await proofOf(admin, kept)).boxes_of_type
  const none = { offered: 0, sold: 0, given: 0, withheld: 0, discarded: 0 }
  expect(await counts()).toEqual({ ...none, withheld: 8 })
  const [first, second, third, fourth, fifth] = others
  for (const id of [first, second]) await admin.delete(`/api/lootboxes/${id}`)
  const patch = (id: string | undefined, body: object) => admin.patch(`/api/lootboxes/${id}`, body)
  await patch(third, { status: 'Owned', owner_id: owner.id })
  await patch(fourth, { status: 'Used', owner_id: owner.id })
  for (const id of [kept, fifth]) await patch(id, { status: 'Available' })
  await boughtWithCash(owner, { id: fifth } as Box)
  expect(await counts()).toEqual({ ...none, withheld: 8 })
  shop.clock.advance(10_000)
  const all = { offered: 1, sold: 1, given: 2, withheld: 2, discarded: 2 }
  expect(await counts()).toEqual(all)
  expect(await proofOf(admin, kept)).toMatchObject({ discarded_boxes: 2 })
  await owner.post(`/api/lootboxes/${fifth}/open`)
  shop.clock.advance(10_000)
  expect(await counts()).toEqual(all)
  const byHand = await makeBox(admin)
  expect(await proofOf(admin, byHand.id)).toMatchObject({
    discarded_boxes: null,
    boxes_of_type: null,
  })
})
