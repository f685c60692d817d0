import { toDisplayFormat } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { disputeSteps } from '../../../../test/support/disputes.ts'
import { at, newId } from '../../../../test/support/ids.ts'
import { type Box, generate, makeType } from '../../../../test/support/lootboxes.ts'
import { goodPassword, type Person, registerAs } from '../../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  returningBuyer,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'
import { transferSteps } from '../../../../test/support/transfers.ts'
import { dayMs } from '../../../platform/time.ts'

type Facts = {
  id: string
  status: string
  awaits_decision: boolean
  decision: string | null
  user: { id: string }
  ids: { emoji_id: string; place: string; frozen: boolean; owner: { id: string } | null }[]
  lootboxes: { id: string; frozen: boolean }[]
}

let shop: ShopService
let admin: Person
let hands: ReturnType<typeof transferSteps>
let disputes: ReturnType<typeof disputeSteps>
let open: typeof disputes.open
let close: typeof disputes.close
let waitForStatus: typeof disputes.waitForStatus
let frozenOf: typeof disputes.frozenOf
let rowsOf: typeof disputes.rowsOf
beforeAll(async () => {
  shop = await shopService({ LOOTBOX_SALE: 'true', MINT_AFTER_CARD_DAYS: '0' })
  admin = await registerAs(shop, 'Admin')
  hands = transferSteps(shop, admin)
  disputes = disputeSteps(shop)
  ;({ open, close, waitForStatus, frozenOf, rowsOf } = disputes)
})
afterAll(() => shop.close())
const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const disputed = [422, 'disputed']
const bought = async (ids = [newId()]) => {
  const person = await buyer(shop)
  return { person, ...(await disputes.boughtByCard(person, ids)), ids, id: ids[0] ?? '' }
}
const refund = ({ id }: Order, path = 'refund', more: object = {}) =>
  admin.post(`/api/orders/${id}/${path}`, { reason: 'asked for it', ...more })
const facts = async (id: string) => (await admin.get(`/api/disputes/${id}`)).json<Facts>()
const decide = (id: string, act: string, more: object = {}) =>
  admin.post(`/api/disputes/${id}/${act}`, { reason: 'they knew nothing of it', ...more })
const search = async (id: string) => {
  const answer = await shop.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
  return answer.json<{ result: object }>().result
}
const auditOf = async (order_id: string) => {
  const rows = await shop.db
    .selectFrom('audit_entries')
    .select(['event', 'actor_id', 'details'])
    .where('event', 'like', 'order.dispute%')
    .orderBy('id')
    .execute()
  return rows.filter(({ details }) => (details as { order_id: string }).order_id === order_id)
}
const subjectsTo = (address: string) =>
  shop.mailsTo(address).flatMap(({ subject }) => (subject?.includes('disput') ? subject : []))

/** A refund that was planned before the dispute. Returns how to read its status. */
async function insertQueuedRefund({ id: order_id }: Order) {
  const payment = await shop.db
    .selectFrom('ledger_entries')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const { id } = await shop.db
    .insertInto('refunds')
    .values({
      order_id,
      payment_id: payment.id,
      amount_in_cents: 100,
      reason: 'late',
      kind: 'misc_refund',
      status: 'queued',
      reference: null,
      sealed_claim: null,
      actor_id: null,
      created_at: new Date(),
      done_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return async () =>
    (await shop.db.selectFrom('refunds').select('status').where('id', '=', id).executeTakeFirst())
      ?.status
}

/** Every operation that moves an id. */
const everyMove = async (person: Buyer, order: Order, id: string) => [
  outcomeOf(await person.post('/api/transfers', { eid: id, email: 'other@example.com' })),
  outcomeOf(await person.post(at(id, '/generate_signature'), { account })),
  outcomeOf(await person.delete(at(id))),
  outcomeOf(await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}?reason=whatever`)),
  outcomeOf(
    await admin.post('/api/transfers', {
      eid: id,
      email: admin.email,
      force_transfer: true,
      reason: 'whatever',
    }),
  ),
  outcomeOf(await refund(order)),
  outcomeOf(await refund(order, 'misc_refund', { amount_in_cents: 100 })),
  outcomeOf(await person.post(`/api/orders/${order.id}/refund_request`, { reason: 'Mine' })),
]

describe('a dispute', () => {
  it('freezes the ids of the order, notifies buyer and operators, and leaves no trace when it is won', async () => {
    const { person, order, payment, ids, id } = await bought([newId(), newId()])
    const reference = await open(payment)
    const { id: dispute } = await waitForStatus(order, 'open')

    expect(await everyMove(person, order, id)).toEqual(Array(8).fill(disputed))
    expect(await frozenOf(order.id)).toEqual(ids.toSorted())
    const record = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
    expect((await person.patch(at(id), { insert: [record] })).status).toBe(200)
    expect((await shop.get(at(id))).status).toBe(200)
    const seenOrder = await person.order(order.id)
    expect(seenOrder).toMatchObject({
      status: 'Paid',
      eligible_for_refund: false,
      refunded_total_in_cents: 0,
      dispute: { status: 'open', amount_in_cents: 800, frozen: true, closed_at: null },
    })
    expect(seenOrder.order_items[0]?.refund_obstacle).toBe('disputed')
    const own = (await person.get('/api/emoji_id/extended')).json<{ frozen_at: string }[]>()
    expect(own.map(({ frozen_at }) => frozen_at)).not.toContain(null)
    expect(await shop.mailAbout(person.email, 'is disputed')).toBeTruthy()
    const mail = await shop.mailAbout(admin.email, `order ${order.order_number}`)
    expect(mail.text).toContain(`/admin/disputes/${dispute}`)
    const disputeList = (await admin.get('/api/disputes?status=open')).json<{ data: Facts[] }>()
    expect(disputeList.data.map((one) => one.id)).toContain(dispute)
    expect((await person.get(`/api/disputes/${dispute}`)).status).toBe(403)

    await shop.atProvider(`/disputes/${reference}/review`)
    await close(reference, 'won')
    await waitForStatus(order, 'won')
    expect(await frozenOf(order.id)).toEqual([])
    expect(await person.order(order.id)).toMatchObject({
      eligible_for_refund: true,
      dispute: { status: 'won', frozen: false },
      disputed_total_in_cents: 0,
    })
    expect((await person.delete(at(id))).status).toBe(200)
    expect(await shop.ledgerOf(order.id)).toMatchObject([{ kind: 'payment' }])
  })

  it('that is lost releases the ids as a refund does, pays nothing out, and does so once', async () => {
    const { person, order, payment, id } = await bought()
    await shop.atProvider('/webhooks', { copies: 3, shuffled: true })
    await close(await open(payment), 'lost')
    await shop.atProvider('/webhooks', { copies: 1, shuffled: false })
    await waitForStatus(order, 'lost')

    expect(await shop.ownerOf(id)).toBeUndefined()
    expect(await search(id)).toMatchObject({ available: false, availability: 'Taken' })
    const seenOrder = await person.order(order.id)
    expect(seenOrder).toMatchObject({
      status: 'Paid',
      refunded_total_in_cents: 0,
      misc_refunded_total_in_cents: 0,
      disputed_total_in_cents: 400,
      remaining_due_in_cents: 0,
      eligible_for_refund: false,
      dispute: { status: 'lost', frozen: false },
    })
    expect(seenOrder.order_items[0]).toMatchObject({ refunded_quantity: 1 })
    expect(outcomeOf(await refund(order))).toEqual([422, 'nothing_to_refund'])
    const misc = await refund(order, 'misc_refund', { amount_in_cents: 1 })
    expect(outcomeOf(misc)).toEqual([422, 'too_large_refund'])

    for (const type of ['closed', 'created', 'funds_withdrawn']) {
      for (const event of await disputes.events(`charge.dispute.${type}`)) {
        await disputes.deliver(event)
      }
    }
    await shop.run('payments.disputes')
    await shop.settle()
    expect((await auditOf(order.id)).map(({ event }) => event).toSorted()).toEqual([
      'order.dispute_lost',
      'order.disputed',
    ])
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'payment', amount_in_cents: 400 },
      { kind: 'dispute', amount_in_cents: -400 },
    ])
    await shop.mailAbout(person.email, 'dispute about order')
    const subjects = subjectsTo(person.email)
    expect(new Set(subjects).size).toBe(subjects.length)
  })

  it('is found by the payment intent, even before its payment, and booked once if only its end is reported', async () => {
    const person = await buyer(shop)
    const id = newId()
    await person.add(id)
    const urls = { success_url: 'https://a.example.com', cancel_url: 'https://a.example.com' }
    const pending = await person.checkout('CardCheckout', urls)
    await shop.payUnheard(pending)
    await shop.atProvider('/webhooks', { off: true })
    const reference = await open(pending.payment_method_data?.session_id ?? '')
    await close(reference, 'lost')
    await shop.atProvider('/webhooks', { off: false })
    const [closedEvent = ''] = await disputes.events('charge.dispute.closed')
    const [createdEvent = ''] = await disputes.events('charge.dispute.created')
    await disputes.deliver(closedEvent)
    await waitForStatus(pending, 'lost')
    await disputes.deliver(createdEvent)
    await shop.settle()

    expect(await person.order(pending.id)).toMatchObject({
      status: 'Paid',
      dispute: { status: 'lost', frozen: false },
    })
    expect(await shop.ownerOf(id)).toBeUndefined()
    expect(await rowsOf(pending.id)).toHaveLength(1)
  })

  it('blocks the acceptance of a transfer and a queued refund until it is won, as an inquiry does until it ends', async () => {
    const { person, order, payment, id } = await bought()
    const bert = await buyer(shop)
    const transfer = await hands.post(person, { eid: id, email: bert.email })
    const code = await hands.codeTo(person)
    const question = await open(payment, { inquiry: true })
    await waitForStatus(order, 'open')
    expect(outcomeOf(await hands.confirm(person, transfer, code))).toEqual(disputed)
    await close(question, 'warning_closed')
    await waitForStatus(order, 'won')
    expect((await hands.confirm(person, transfer, code)).status).toBe(200)
    const input = await hands.codeTo(bert)

    const claim = await open(payment)
    await waitForStatus(order, 'open')
    expect(outcomeOf(await hands.accept(bert, transfer, input))).toEqual(disputed)
    expect(await shop.ownerOf(id)).toBe(person.id)
    const statusOfRefund = await insertQueuedRefund(order)
    await shop.run('refunds.requeue')
    expect(await statusOfRefund()).toBe('queued')
    await close(claim, 'won')
    await expect.poll(async () => frozenOf(order.id)).toEqual([])
    await shop.run('refunds.requeue')
    expect(await statusOfRefund()).toBe('done')
    expect((await hands.accept(bert, transfer, input)).status).toBe(200)
    expect(await shop.ownerOf(id)).toBe(bert.id)
  })

  it('leaves transferred ids to an operator: revoked, or left', async () => {
    const ids = [newId(), newId(), newId()]
    const { person, order, payment } = await bought(ids)
    const [first = '', second = '', third = ''] = ids
    const bert = await buyer(shop)
    for (const eid of [first, second]) {
      await hands.post(admin, { eid, email: bert.email, force_transfer: true, reason: 'Support' })
    }
    const reference = await open(payment)
    const { id: dispute } = await waitForStatus(order, 'open')
    expect(outcomeOf(await decide(dispute, 'take_back'))).toEqual([422, 'nothing_to_decide'])
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')

    expect(await shop.ownerOf(third)).toBeUndefined()
    expect(await facts(dispute)).toMatchObject({
      status: 'lost',
      awaits_decision: true,
      user: { id: person.id },
      ids: [first, second].toSorted().map((emoji_id) => ({
        emoji_id,
        place: 'other_account',
        frozen: true,
        owner: { id: bert.id },
        handed_on: [{ at: expect.any(String), from: { id: person.id }, to: { id: bert.id } }],
      })),
      decided_by_user: null,
    })
    const waitingDisputes = (await admin.get('/api/disputes?awaits_decision=true')).json<{
      data: Facts[]
    }>()
    expect(waitingDisputes.data.map((one) => one.id)).toContain(dispute)
    expect(outcomeOf(await refund(order))).toEqual(disputed)
    expect(outcomeOf(await decide(dispute, 'take_back', { emoji_ids: [third] }))).toEqual([
      422,
      'not_frozen',
    ])
    expect((await person.post(`/api/disputes/${dispute}/leave`, { reason: 'me' })).status).toBe(403)

    expect((await decide(dispute, 'leave', { emoji_ids: [first] })).status).toBe(200)
    const answer = await decide(dispute, 'take_back', { emoji_ids: [second] })
    expect(answer.json<Facts>()).toMatchObject({
      awaits_decision: false,
      decision: 'taken_back',
      decided_by_user: { id: admin.id, email: admin.email },
    })
    expect(await shop.ownerOf(first)).toBe(bert.id)
    expect(await shop.ownerOf(second)).toBeUndefined()
    expect(await search(second)).toMatchObject({ available: false })
    const decisions = () =>
      shop.mailsTo(person.email).filter(({ subject }) => subject?.startsWith('Our decision about'))
    await expect.poll(() => decisions().length).toBe(2)
    const [leftMail, takenMail] = decisions().toSorted((a, b) =>
      String(a.text?.includes('taken back')).localeCompare(String(b.text?.includes('taken back'))),
    )
    expect(leftMail?.text).toContain(`${toDisplayFormat(first)}: stays`)
    expect(takenMail?.text).toContain(`${toDisplayFormat(second)}: taken back`)
    const mail = await shop.mailAbout(bert.email, 'took')
    expect(mail.text).toContain('they knew nothing of it')
    expect(outcomeOf(await decide(dispute, 'leave'))).toEqual([422, 'nothing_to_decide'])
    const [, , leaveEntry, takenEntry] = await auditOf(order.id)
    const by = { actor_id: admin.id, details: { reason: 'they knew nothing of it' } }
    expect(leaveEntry).toMatchObject({ event: 'order.dispute_left', ...by })
    expect(takenEntry).toMatchObject({ event: 'order.dispute_taken_back', ...by })
    expect((await person.order(order.id)).dispute).toMatchObject({ frozen: false })
  })

  it('of a part of the payment leaves the choice to an operator, also beside a refund', async () => {
    const { person, order, payment, ids } = await bought([newId(), newId(), newId()])
    const [first = '', second = '', third = ''] = ids
    const item = order.order_items.find(({ emoji_id }) => emoji_id === first)?.id
    expect((await refund(order, 'refund', { item_ids: [item] })).status).toBe(200)
    await shop.settle()
    const reference = await open(payment, { amount: 400 })
    const { id: dispute } = await waitForStatus(order, 'open')
    expect(await frozenOf(order.id)).toEqual([second, third].toSorted())
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')
    expect(await frozenOf(order.id)).toEqual([second, third].toSorted())
    expect((await decide(dispute, 'take_back', { emoji_ids: [second] })).status).toBe(200)
    expect((await decide(dispute, 'leave')).status).toBe(200)

    expect(await shop.ownerOf(second)).toBeUndefined()
    expect(await shop.ownerOf(third)).toBe(person.id)
    expect(await person.order(order.id)).toMatchObject({
      refunded_total_in_cents: 400,
      disputed_total_in_cents: 400,
      eligible_for_refund: true,
    })
    expect((await refund(order)).json<Order>()).toMatchObject({ refunded_total_in_cents: 800 })
  })

  it('covers a planned refund, so that it is not paid twice', async () => {
    const { order, payment } = await bought()
    await shop.atProvider('/webhooks', { off: true })
    const reference = await open(payment)
    await shop.atProvider('/webhooks', { off: false })
    expect((await refund(order)).status).toBe(200)
    await shop.settle()
    const refundOf = async () =>
      (await admin.get(`/api/orders/${order.id}/refunds`)).json<{ id: string; status: string }[]>()
    // The provider does not refund what the bank took.
    const [planned] = await refundOf()
    expect(planned?.status).toBe('by_hand')
    const [createdEvent = ''] = await disputes.events('charge.dispute.created')
    await disputes.deliver(createdEvent)
    await waitForStatus(order, 'open')
    const payout = { reference: 'bank transfer 4711' }
    expect(outcomeOf(await admin.post(`/api/refunds/${planned?.id}/given`, payout))).toEqual(
      disputed,
    )
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')

    expect(await refundOf()).toMatchObject([{ status: 'done' }])
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'payment', amount_in_cents: 400 },
      { kind: 'refund', amount_in_cents: -400 },
    ])
  })

  it('of a part that covers a planned refund leaves the other ids', async () => {
    const { person, order, payment, ids } = await bought([newId(), newId()])
    const [first = '', second = ''] = ids
    await shop.atProvider('/webhooks', { off: true })
    const reference = await open(payment, { amount: 400 })
    await shop.atProvider('/webhooks', { off: false })
    const item = order.order_items.find(({ emoji_id }) => emoji_id === first)?.id
    await shop.closeProviders()
    expect((await refund(order, 'refund', { item_ids: [item] })).status).toBe(200)
    await shop.openProviders()
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')

    expect(await shop.ownerOf(first)).toBeUndefined()
    expect(await shop.ownerOf(second)).toBe(person.id)
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'payment', amount_in_cents: 800 },
      { kind: 'refund', amount_in_cents: -400 },
    ])
    expect(await frozenOf(order.id)).toEqual([])
    expect(await person.order(order.id)).toMatchObject({
      disputed_total_in_cents: 0,
      dispute: { status: 'lost', frozen: false },
    })
    const { text } = await shop.mailAbout(person.email, 'The dispute about order')
    expect(text).toContain('Nothing else changes')
  })

  it('keeps a lootbox closed, revokes it when lost, and the ids of an opened one', async () => {
    const type = await makeType(admin, {}, 900)
    const boxForSale = async () => {
      const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
      return (await admin.patch(`/api/lootboxes/${box.id}`, { status: 'Available' })).json<Box>()
    }
    const person = await buyer(shop)
    const [closedBox, openedBox] = [await boxForSale(), await boxForSale()]
    const items = [closedBox, openedBox].map(({ id }) => ({ lootbox_id: id }))
    const { order, session } = await disputes.boughtAtPage(person, items)
    expect((await person.post(`/api/lootboxes/${openedBox.id}/open`)).status).toBe(200)
    const reference = await open(session)
    await waitForStatus(order, 'open')

    expect(outcomeOf(await person.post(`/api/lootboxes/${closedBox.id}/open`))).toEqual(disputed)
    const forcedAnswer = await admin.patch(`/api/lootboxes/${closedBox.id}`, { status: 'Used' })
    expect(outcomeOf(forcedAnswer)).toEqual(disputed)
    expect(await frozenOf(order.id)).toHaveLength(openedBox.yats.length)
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')
    expect((await person.get('/api/emoji_id')).json()).toEqual([])
    const secondBox = (await admin.get(`/api/lootboxes/${closedBox.id}`)).json<Box>()
    expect(secondBox).toMatchObject({ status: 'Available', owner_id: null })
    const seenOrder = await person.order(order.id)
    expect(seenOrder.order_items.map(({ refunded_quantity }) => refunded_quantity)).toEqual([1, 1])
    expect((await rowsOf(order.id))[0]).toMatchObject({ awaits_decision: false })
  })

  it('waits for an operator about an id with a valid mint signature', async () => {
    const { person, order, payment, id } = await bought()
    expect((await person.post(at(id, '/generate_signature'), { account })).status).toBe(200)
    const reference = await open(payment)
    await waitForStatus(order, 'open')
    await close(reference, 'lost')
    const { id: dispute } = await waitForStatus(order, 'lost')
    expect(outcomeOf(await decide(dispute, 'take_back'))).toEqual([422, 'signature_live'])
    await admin.put(`/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`, {
      minted: true,
      reason: 'seen on the chain',
    })
    expect(outcomeOf(await decide(dispute, 'take_back'))).toEqual([422, 'minted'])
    expect((await decide(dispute, 'leave')).json<Facts>()).toMatchObject({ awaits_decision: false })
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('that is lost before the order was fully paid blocks neither the cart nor the sweep', async () => {
    const person = await buyer(shop, { password: goodPassword })
    const order = await person.pending('CardCheckout')
    // This happens when a code is removed at the moment its price is paid.
    await shop.db
      .updateTable('order_items')
      .set({ unit_price_in_cents: 480 })
      .where('order_id', '=', order.id)
      .execute()
    await shop.pay(order)
    await expect.poll(async () => (await person.cart()).remaining_due_in_cents).toBe(80)
    const intent = order.payment_method_data?.payment_intent_id
    await shop.atProvider(`/intents/${intent}/dispute`)
    const { reference } = await waitForStatus(order, 'open')
    await close(reference, 'lost')
    await waitForStatus(order, 'lost')

    expect((await person.get('/api/cart')).status).toBe(200)
    shop.clock.advance(2 * dayMs)
    onTestFinished(() => shop.clock.advance(-2 * dayMs))
    await shop.run('orders.sweep')
    const later = await returningBuyer(shop, person)
    expect(await later.order(order.id)).toMatchObject({
      status: 'Cancelled',
      refunded_total_in_cents: 0,
      disputed_total_in_cents: 400,
    })
    expect(await later.add(newId())).toMatchObject({ status: 'Draft' })
  })
})
