import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import { disputeSteps } from '../support/disputes.ts'
import { at, newId } from '../support/ids.ts'
import { goodPassword, type Person, registerAs } from '../support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  returningBuyer,
  type ShopService,
  shopService,
} from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

let shop: ShopService
let admin: Person
let disputes: ReturnType<typeof disputeSteps>
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  shop = await shopService({ MINT_AFTER_CARD_DAYS: '10' })
  admin = await registerAs(shop, 'Admin')
  disputes = disputeSteps(shop)
  hands = transferSteps(shop, admin)
})
afterAll(() => shop.close())

type Refund = Awaited<ReturnType<typeof refundsOf>>[number]
const refundsOf = ({ id }: { id: string }) =>
  shop.db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', id)
    .orderBy('created_at')
    .execute()
async function refundOf(order: { id: string }, status: Refund['status']): Promise<Refund> {
  const firstRefund = async () => (await refundsOf(order))[0]
  await expect.poll(async () => (await firstRefund())?.status).toBe(status)
  return (await firstRefund()) as Refund
}
const give = ({ id }: { id: string }, path: string, more: object = {}) =>
  admin.post(`/api/orders/${id}/${path}`, { reason: 'The buyer asked for it', ...more })
const recordPayout = ({ id }: { id: string }, reference = 'bank 1') =>
  admin.post(`/api/refunds/${id}/given`, { reference })
/** An order for two ids, 800 cents, paid by card at a provider page. */
/** The retry would succeed, and the refund would no longer be open. */
const postponeRetry = () =>
  sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where locked_at is null and attempts > 0`.execute(
    shop.db,
  )

async function buyId() {
  const person = await buyer(shop)
  const items = [newId(), newId()].map((emoji_id) => ({ emoji_id }))
  return { person, ...(await disputes.boughtAtPage(person, items)) }
}
/** A dispute that the service does not know of yet. */
async function disputeUnheard(session: string, body: object = {}) {
  await shop.atProvider('/webhooks', { off: true })
  const reference = await disputes.open(session, body)
  await shop.atProvider('/webhooks', { off: false })
  return reference
}
async function moneyOf(order: { id: string }) {
  const sum = (rows: { amount_in_cents: number; kind: string }[], ...kinds: string[]) =>
    rows
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { amount_in_cents }) => total + amount_in_cents, 0)
  const rows = await shop.ledgerOf(order.id)
  return { paid: sum(rows, 'payment'), back: -sum(rows, 'refund', 'misc_refund', 'dispute') }
}

describe('coins that lost value', () => {
  const moveTo = (rate: string) => shop.atProvider('/rates', { rate })
  const payoutOf = async (person: Buyer, { id }: Order) => {
    const answer = await person.get(`/api/orders/${id}/refunds`)
    const [refund] = answer.json<{ claim_url: string }[]>()
    const claim = refund?.claim_url.split('/').at(-1)
    await shop.atProvider(`/claims/${claim}/claim`, { destination: 'bc1qattackerattacker' })
    await shop.atProvider(`/claims/${claim}/pay`)
    const [payout] = await shop.coins<{ payoutAmount: string }[]>(`/pull-payments/${claim}/payouts`)
    return Number(payout?.payoutAmount)
  }
  const lateOrder = async (person: Buyer, cart: Order, status: Order['status']) => {
    const findLateOrder = async () => (await person.orders()).find(({ id }) => id !== cart.id)
    await expect.poll(async () => (await findLateOrder())?.status).toBe(status)
    return (await findLateOrder()) as Order
  }
  afterAll(() => moveTo('97531.86'))

  it('coins that lost value are refunded in coins when overpaid, and large sums wait for an operator', async () => {
    await moveTo('100000')
    const person = await buyer(shop)
    const [order, other] = [await person.pending('CryptoCommerce'), await buyer(shop)]
    const large = await other.pending('CryptoCommerce')
    await moveTo('50000')
    await shop.pay(order, { amount: '0.00100000' })
    await shop.pay(large, { amount: '1' })
    const refund = await refundOf(order, 'done')
    expect(refund).toMatchObject({ kind: 'misc_refund', amount_in_cents: 9_600 })
    expect(refund.reference).toBeNull()
    expect(await payoutOf(person, order)).toBe(0.00096)
    await shop.run('payments.claims')
    expect((await refundsOf(order))[0]?.paid_out_at).not.toBeNull()

    await other.until(large.id, 'Paid')
    expect(await refundOf(large, 'by_hand')).toMatchObject({ amount_in_cents: 9_999_600 })
  })

  it('buy nothing when they arrive late and are worth too little, and are refunded in full', async () => {
    await moveTo('100000')
    const person = await buyer(shop)
    const id = newId()
    const order = await person.pending('CryptoCommerce', [id])
    await shop.waitForEvents(order.id, 1)
    await shop.atProvider(`/invoices/${order.payment_method_data?.invoice_id}/expire`)
    shop.clock.advance(300_000)
    const cart = await person.cart()
    await moveTo('50000')
    await shop.pay(order, { amount: '0.00004000' })
    const late = await lateOrder(person, cart, 'Cancelled')
    expect(await shop.ownerOf(id)).toBeUndefined()
    const refund = await refundOf(late, 'done')
    expect(refund.amount_in_cents).toBe(200)
    expect(await payoutOf(person, late)).toBe(0.00004)
  })
})

describe('a lost dispute', () => {
  it('a lost dispute of 600 covers a part of planned refunds of 500 and 300, and only the rest is owed', async () => {
    const left = [200]
    const { order, session } = await buyId()
    const reference = await disputeUnheard(session, { amount: 600 })
    for (const amount_in_cents of [500, 300]) await give(order, 'misc_refund', { amount_in_cents })
    // No part of a disputed charge is refunded yet, so the provider leaves it to operators.
    await refundOf(order, 'by_hand')
    await shop.settle()
    await disputes.close(reference, 'lost')
    await disputes.waitForStatus(order, 'lost')
    const planned = (await refundsOf(order)).filter(({ status }) => status === 'by_hand')
    expect(planned.map((one) => one.amount_in_cents - one.by_bank_in_cents)).toEqual(left)
    expect(await moneyOf(order)).toEqual({ paid: 800, back: 800 })
    for (const one of planned) expect((await recordPayout(one)).status).toBe(200)
    const { data } = (await admin.get('/api/admin/audit?event=order.refund_given&limit=1')).json<{
      data: object[]
    }>()
    expect(data).toMatchObject([{ details: { amount_in_cents: left.at(-1) } }])
  })

  it('covers a refund that fails afterwards', async () => {
    const { order, session } = await buyId()
    await give(order, 'refund')
    const doneRefund = await refundOf(order, 'done')
    const reference = await disputes.open(session)
    await disputes.waitForStatus(order, 'open')
    await disputes.close(reference, 'lost')
    await disputes.waitForStatus(order, 'lost')
    expect(await moneyOf(order)).toEqual({ paid: 800, back: 1_600 })
    await shop.atProvider(`/refunds/${doneRefund.reference}/status`, { status: 'failed' })
    await expect.poll(async () => (await refundsOf(order))[0]?.reference).toBe(reference)
    expect(await refundsOf(order)).toMatchObject([{ status: 'done', by_bank_in_cents: 800 }])
    expect(await moneyOf(order)).toEqual({ paid: 800, back: 800 })
    const secondAnswer = await recordPayout(doneRefund)
    expect([secondAnswer.status, secondAnswer.json()['code']]).toEqual([422, 'not_by_hand'])
  })

  it('reduces a refund that was planned before such parts were known', async () => {
    const { order, session } = await buyId()
    const reference = await disputeUnheard(session, { amount: 300 })
    await give(order, 'misc_refund', { amount_in_cents: 800 })
    const planned = await refundOf(order, 'by_hand')
    await disputes.close(reference, 'lost')
    const { id } = await disputes.waitForStatus(order, 'lost')
    await shop.db.updateTable('refunds').set({ by_bank_in_cents: 0 }).execute()
    await shop.db
      .updateTable('disputes')
      .set({ taken_in_cents: 300 })
      .where('id', '=', id)
      .execute()
    const answer = await recordPayout(planned)
    expect(answer.json()).toMatchObject({ status: 'done', by_bank_in_cents: 300 })
    const { taken_in_cents } = await disputes.waitForStatus(order, 'lost')
    expect(taken_in_cents).toBe(0)
  })

  it('a lost dispute without a webhook is found within the hour', async () => {
    const { order, session } = await buyId()
    await shop.atProvider('/webhooks', { off: true })
    await disputes.close(await disputes.open(session), 'lost')
    await shop.atProvider('/webhooks', { off: false })
    await shop.run('payments.disputes')
    expect(await disputes.waitForStatus(order, 'lost')).toMatchObject({ amount_in_cents: 800 })
    expect(await moneyOf(order)).toEqual({ paid: 800, back: 800 })
  })
})

describe('a refund that the provider made although its response was lost', () => {
  it.each(['the job is removed', 'an operator pays by hand'])('counts when %s', async (when) => {
    const { order } = await buyId()
    await shop.settle()
    await shop.atProvider('/failures', { count: 1, applied: true })
    await give(order, 'refund')
    const failedJob = async () => {
      const page = await admin.get('/api/admin/jobs?state=failed&task=payments.refund')
      return page.json<{ data: { id: string }[] }>().data[0]?.id
    }
    await expect.poll(failedJob).toBeDefined()
    await postponeRetry()
    const removal = `/api/admin/jobs/${await failedJob()}?reason=It+never+works`
    const planned = await refundOf(order, 'queued')
    if (when === 'the job is removed') {
      expect((await admin.delete(removal)).status).toBe(200)
    } else {
      await shop.closeProviders()
      expect((await admin.delete(removal)).status).toBe(200)
      await refundOf(order, 'by_hand')
      expect((await recordPayout(planned)).status).toBe(503)
      await shop.openProviders()
      const secondAnswer = await recordPayout(planned)
      expect([secondAnswer.status, secondAnswer.json()['code']]).toEqual([422, 'already_sent'])
    }
    const { reference, is_given_by_hand } = await refundOf(order, 'done')
    expect([reference?.slice(0, 3), is_given_by_hand]).toEqual(['re_', false])
  })

  it('that failed stays paid after an operator entered its name', async () => {
    const { order } = await buyId()
    await give(order, 'refund')
    const { id, reference } = await refundOf(order, 'done')
    await shop.atProvider(`/refunds/${reference}/status`, { status: 'failed' })
    await refundOf(order, 'by_hand')
    expect((await recordPayout({ id }, reference ?? '')).status).toBe(200)
    const { data } = await shop.cards<{ data: { id: string }[] }>('/events?type=refund.failed')
    const [attempt] = await shop.db
      .selectFrom('payment_attempts')
      .select('id')
      .where('order_id', '=', order.id)
      .execute()
    await shop.atProvider(`/events/${data[0]?.id}/deliver`)
    await shop.db
      .updateTable('payment_attempts')
      .set({ check_at: new Date(0) })
      .where('id', '=', attempt?.id ?? '')
      .execute()
    await shop.run('payments.reconcile')
    expect(await refundOf(order, 'done')).toMatchObject({ is_given_by_hand: true })
  })
})

describe('a payment that never arrived', () => {
  it('earns a partner nothing and does not count as paid', async () => {
    const organization = { name: 'Crabs', client_fee_percent: 100 }
    const organizationResponse = await admin.post('/api/admin/organizations', organization)
    const { id: organization_id } = organizationResponse.json<{ id: string }>()
    const owner = await buyer(shop)
    const member = `/api/admin/organizations/${organization_id}/members/${owner.id}`
    await admin.put(member, { role: 'OrgOwner' })
    await owner.post('/api/cart', { items: [{ emoji_id: newId() }], organization_id })
    const pending = await owner.checkout('CryptoCommerce')
    const overrideAnswer = await give(pending, 'payment_override')
    expect(overrideAnswer.json()).toMatchObject({ status: 'Paid' })
    const sales = await owner.get(`/api/orders?organization_id=${organization_id}`)
    expect(sales.json()).toMatchObject({
      data: [{ client_fee_in_cents: 0 }],
      sums: { paid_orders: 1, total_in_cents: 0, client_fee_in_cents: 0 },
    })
  })

  it('a payment that never arrived cannot be granted by an operator while a bank decides', async () => {
    const person = await buyer(shop)
    const items = [newId(), newId()].map((emoji_id) => ({ emoji_id }))
    await person.post('/api/cart', { items })
    const pending = await person.checkout('CryptoCommerce')
    await shop.pay(pending, { percent: 40 })
    await shop.waitForEvents(pending.id, 2)
    const [payment] = await shop.db
      .selectFrom('ledger_entries')
      .select('id')
      .where('order_id', '=', pending.id)
      .execute()
    await shop.db
      .insertInto('disputes')
      .values({
        reference: `du_${pending.id}`,
        payment_id: payment?.id ?? 0,
        order_id: pending.id,
        amount_in_cents: 320,
        reason: 'fraudulent',
        status: 'open',
        opened_at: new Date(),
        answer_until: null,
        closed_at: null,
        decision: null,
        decision_reason: null,
        decided_at: null,
        decided_by: null,
        created_at: new Date(),
      })
      .execute()
    const answer = await give(pending, 'payment_override')
    expect([answer.status, answer.json()['code']]).toEqual([422, 'disputed'])
  })

  it('a payment that never arrived cannot be recorded as cash twice in two spellings of its reference', async () => {
    const [first, second] = ['ＴＩＬＬ 7–11', ' till  7-11 ']
    const pay = async (external_reference: string) => {
      const cart = await (await buyer(shop)).add(newId())
      const cash = { method: 'Cash', amount: 400, external_reference }
      return admin.post(`/api/cart/checkout/${cart.id}`, cash)
    }
    expect((await pay(first)).json()).toMatchObject({ status: 'Paid' })
    expect((await pay(second)).status).toBe(422)
  })
})

const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

type Asker = Pick<Awaited<ReturnType<typeof buyer>>, 'post'>
const ask = async (person: Asker, id: string) => {
  const answer = await person.post(at(id, '/generate_signature'), { account })
  const { code, possible_at } = answer.json<{ code?: string; possible_at?: string }>()
  return { told: code ?? answer.status, possible_at: new Date(possible_at ?? 0) }
}

it('a card payment blocks minting for some days, for later owners and during a dispute too', async () => {
  const [anna, bert] = [
    await buyer(shop, { password: goodPassword }),
    await buyer(shop, { password: goodPassword }),
  ]
  const [keptId = '', transferredId = ''] = [newId(), newId()]
  const items = [keptId, transferredId].map((emoji_id) => ({ emoji_id }))
  const start = shop.clock.now().getTime()
  const { order, session } = await disputes.boughtAtPage(anna, items)
  const refusal = await ask(anna, keptId)
  expect(refusal.told).toBe('paid_by_card')
  const waitMs = refusal.possible_at.getTime() - start
  expect(waitMs).toBeGreaterThanOrEqual(10 * dayMs)
  expect(waitMs).toBeLessThan(11 * dayMs)

  const transfer = await hands.post(anna, { eid: transferredId, email: bert.email })
  await hands.confirm(anna, transfer, await hands.codeTo(anna))
  await hands.accept(bert, transfer, await hands.codeTo(bert))
  shop.clock.advance(9 * dayMs)
  expect((await ask(await returningBuyer(shop, bert), transferredId)).told).toBe('paid_by_card')

  shop.clock.advance(dayMs)
  const later = await returningBuyer(shop, anna)
  await disputes.open(session)
  await disputes.waitForStatus(order, 'open')
  expect((await ask(later, keptId)).told).toBe('disputed')
  expect((await ask(await returningBuyer(shop, bert), transferredId)).told).toBe('disputed')
})

it('a card payment allows minting after these days, other payments immediately', async () => {
  const [carl, dora] = [await buyer(shop, { password: goodPassword }), await buyer(shop)]
  const [byCard, byCoin] = [newId(), newId()]
  for (const { person, method, id } of [
    { person: carl, method: 'CardCheckout', id: byCard },
    { person: dora, method: 'CryptoCommerce', id: byCoin },
  ]) {
    const order = await person.pending(method, [id])
    await shop.pay(order)
    await person.until(order.id, 'Paid')
  }
  expect((await ask(dora, byCoin)).told).toBe(200)
  const { possible_at } = await ask(carl, byCard)
  shop.clock.advance(possible_at.getTime() - shop.clock.now().getTime())
  expect((await ask(await returningBuyer(shop, carl), byCard)).told).toBe(200)
})
