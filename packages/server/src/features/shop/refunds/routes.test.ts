import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { at, newId } from '../../../../test/support/ids.ts'
import { insertCardOrder, insertPaidOrder } from '../../../../test/support/paid-orders.ts'
import {
  bearer,
  callsWithKey,
  goodPassword,
  later,
  logIn,
  newEmail,
  type Person,
  press,
  registerAs,
  setNewPassword,
} from '../../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  payWithCash,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'
import { waitUntil } from '../../../../test/support/wait.ts'

type RefundView = {
  id: string
  kind: string
  status: string
  amount_in_cents: number
  reason: string
}
type Refunds = { data: { amount: number; status: string }[] }

const hourMs = 60 * 60_000
let shop: ShopService
let admin: Person
beforeAll(async () => {
  shop = await shopService({ MINT_AFTER_CARD_DAYS: '0' })
  admin = await registerAs(shop, 'Admin')
})
afterAll(() => shop.close())
const code = async (terms: object) =>
  (await makeCode(admin, redemptionCode(terms))).redemption_code ?? ''

/** A buyer with a paid order. */
async function buyIds(ids = [newId()], method = 'CardCheckout', promo?: string) {
  const person = await buyer(shop)
  const askedOrder = await person.pending(method, ids)
  const pending = promo ? await person.promo(promo) : askedOrder
  await shop.pay(pending)
  const order = await person.until(pending.id, 'Paid')
  const { payment_intent_id: intent } = pending.payment_method_data ?? {}
  return { person, order, ids, id: ids[0] ?? '', intent: intent ?? '' }
}
/** The same, paid by card without checkout. */
async function boughtByCard(ids = [newId()]) {
  const person = await buyer(shop)
  const { order_id, intent } = await insertCardOrder(shop, person.id, ids)
  return { person, order: await person.order(order_id), ids, id: ids[0] ?? '', intent }
}
/** A buyer with an order paid in cash: for tests without a provider. */
async function boughtWithCash(ids = [newId()], password: string | null = null) {
  const person = await buyer(shop, { password })
  const order = await person.order(await insertPaidOrder(shop, person.id, ids))
  return { person, order, ids, id: ids[0] ?? '' }
}
const signedByStripe = (event: object) => {
  const raw = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1_000)
  const hmac = createHmac('sha256', shop.secrets.card).update(`${at}.${raw}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${hmac}` }
  return { raw, headers }
}
const give = (order: Order, body: object = {}, path = 'refund') =>
  admin.post(`/api/orders/${order.id}/${path}`, { reason: 'asked for it', ...body })
const outcomeOf = (answer: Awaited<ReturnType<typeof give>>) => [
  answer.status,
  answer.json()['code'],
]
const refundsOf = async ({ id }: Order) =>
  (await admin.get(`/api/orders/${id}/refunds`)).json<RefundView[]>()
const atBank = async (intent: string) =>
  (await shop.cards<Refunds>(`/refunds?payment_intent=${intent}`)).data.map(({ amount }) => amount)
const itemOf = ({ order_items }: Order, id: string) =>
  order_items.find(({ emoji_id }) => emoji_id === id)?.id ?? ''
const search = async (id: string) => {
  const answer = await shop.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
  return answer.json<{ result: object }>().result
}
const obstaclesOf = ({ order_items }: Order) =>
  order_items.map(({ refund_obstacle }) => refund_obstacle)
const ask = (person: Buyer, { id }: Order, reason = 'The wrong one') =>
  person.post(`/api/orders/${id}/refund_request`, { reason })
const isEligible = async (person: Buyer, { id }: Order) =>
  (await person.order(id)).eligible_for_refund

describe('a refund', () => {
  it('revokes the id and everything behind it immediately, cached or not, and blocks it for a day (T119)', async () => {
    const { person, order, id, intent } = await boughtByCard()
    expect(order.eligible_for_refund).toBe(true)
    const bitcoin = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
    await person.patch(at(id), { insert: [bitcoin] })
    await person.post(at(id, '/json/SvcPageData'), { data: { title: 'Anna' } })
    const { etag = '' } = Object.fromEntries((await shop.get(at(id))).headers)
    const views = ['', '/BTC', '/payment', '/json/SvcPageData', '/proof', '/history']
    for (const view of views) expect((await shop.get(at(id, view))).status).toBe(200)

    const headers = { ...bearer(admin.tokens.access_token).headers, 'idempotency-key': order.id }
    const refund = { reason: 'asked for it' }
    const giveOnce = () => shop.post(`/api/orders/${order.id}/refund`, refund, { headers })
    const answer = await giveOnce()
    expect(answer.status).toBe(200)
    for (const view of views) expect((await shop.get(at(id, view))).status).toBe(404)
    const conditional = { headers: { 'if-none-match': etag } }
    expect((await shop.get(at(id), conditional)).status).toBe(404)
    expect((await person.patch(at(id), { insert: [bitcoin] })).status).toBe(404)
    expect((await person.get('/api/emoji_id')).json()).toEqual([])
    expect(answer.json<Order>()).toMatchObject({
      status: 'Paid',
      refunded_total_in_cents: 400,
      misc_refunded_total_in_cents: 0,
      remaining_due_in_cents: 0,
      eligible_for_refund: false,
    })
    expect(answer.json<Order>().order_items[0]).toMatchObject({ refunded_quantity: 1 })
    const mail = await shop.mailAbout(person.email, `refund for order ${order.order_number}`)
    expect(mail.text).toContain('$4.00')
    const secondAnswer = await giveOnce()
    expect([secondAnswer.status, secondAnswer.body]).toEqual([200, answer.body])
    await shop.settle()
    expect(await atBank(intent)).toEqual([400])
    const refunds = await refundsOf(order)
    expect(refunds).toMatchObject([
      { kind: 'refund', status: 'done', amount_in_cents: 400, reason: 'asked for it' },
    ])
    // The provider sent it, so an operator cannot record a payout.
    const byHand = await admin.post(`/api/refunds/${refunds[0]?.id}/given`, { reference: 'mine' })
    expect(outcomeOf(byHand)).toEqual([422, 'not_by_hand'])

    expect(await search(id)).toMatchObject({ available: false, availability: 'Taken', price: null })
  })

  it('a refund of one of two ids returns its price, to the last cent', async () => {
    const ids = [newId(), newId()]
    const cents = { discount_as_percentage: undefined, discount_in_cents: 101 }
    const { person, order, intent } = await buyIds(ids, 'CardCheckout', await code(cents))
    expect(order.total_in_cents).toBe(699)
    const [first = '', second = ''] = ids
    const half = (await give(order, { item_ids: [itemOf(order, first)] })).json<Order>()
    const [discount] = order.order_items.filter(
      ({ parent_id }) => parent_id === itemOf(order, first),
    )
    expect(discount?.refund_obstacle).toBeUndefined()
    const cost = 400 + (discount?.unit_price_in_cents ?? 0)
    expect(half).toMatchObject({ refunded_total_in_cents: cost, eligible_for_refund: true })
    expect(await shop.ownerOf(first)).toBeUndefined()
    expect(await shop.ownerOf(second)).toBe(person.id)

    const secondAnswer = await give(order, { item_ids: [itemOf(order, first)] })
    expect(outcomeOf(secondAnswer)).toEqual([422, 'nothing_to_refund'])
    expect((await give(order)).json<Order>()).toMatchObject({
      refunded_total_in_cents: 699,
      eligible_for_refund: false,
    })
    expect(await shop.ownerOf(second)).toBeUndefined()
    await shop.settle()
    expect((await atBank(intent)).toSorted()).toEqual([cost, 699 - cost].toSorted())
  })

  it('happens once for concurrent requests; if the bank rejects it, an operator pays it', async () => {
    const { order, intent } = await boughtByCard()
    const answers = await Promise.all(Array.from({ length: 4 }, () => give(order)))
    const codes = answers.map(outcomeOf)
    expect(codes.filter(([status]) => status === 200)).toHaveLength(1)
    expect(codes.filter(([, word]) => word === 'nothing_to_refund')).toHaveLength(3)
    await shop.settle()
    expect(await atBank(intent)).toEqual([400])
    expect(await refundsOf(order)).toHaveLength(1)
    expect(outcomeOf(await give(order))).toEqual([422, 'nothing_to_refund'])

    const [firstRefund] = (
      await shop.cards<{ data: { id: string }[] }>(`/refunds?payment_intent=${intent}`)
    ).data
    await shop.atProvider(`/refunds/${firstRefund?.id}/status`, { status: 'failed' })
    const status = async () => (await refundsOf(order))[0]?.status
    await expect.poll(status).toBe('by_hand')
    const [refund] = await refundsOf(order)
    const payout = { reference: 'bank transfer 4711' }
    expect((await admin.post(`/api/refunds/${refund?.id}/given`, payout)).status).toBe(200)
    await shop.run('payments.reconcile')
    expect(await status()).toBe('done')
  })

  it('a refund is checked after an event that names only the payment intent of a session', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const returnUrl = 'https://shop.example.com/'
    const urls = { success_url: returnUrl, cancel_url: returnUrl }
    // An event of the payment could arrive after the bank's rejection, and report it.
    await shop.atProvider('/webhooks', { off: true })
    const pending = await person.checkout('CardCheckout', urls)
    await shop.pay(pending)
    shop.clock.advance(60_000)
    await shop.run('payments.reconcile')
    const order = await person.until(pending.id, 'Paid')
    await give(order)
    await shop.settle()
    const session = `/checkout/sessions/${pending.payment_method_data?.session_id}`
    const { payment_intent } = await shop.cards<{ payment_intent: string }>(session)
    type RefundList = { data: { id: string }[] }
    const refundList = await shop.cards<RefundList>(`/refunds?payment_intent=${payment_intent}`)
    await shop.atProvider(`/refunds/${refundList.data[0]?.id}/status`, { status: 'failed' })
    await shop.atProvider('/webhooks', { off: false })
    expect(await refundsOf(order)).toMatchObject([{ status: 'done' }])

    const dispute = { id: 'dp_1', object: 'dispute', payment_intent, metadata: {} }
    const event = { id: `evt_${order.id}`, object: 'event', data: { object: dispute } }
    const answer = await shop.call('POST', '/api/webhooks/card', signedByStripe(event))
    expect(answer.status).toBe(200)
    await expect.poll(async () => (await refundsOf(order))[0]?.status).toBe('by_hand')
  })

  it('a refund in cryptocurrency is claimed at the order by a buyer without a mailbox, and by no other user', async () => {
    const person = await buyer(shop)
    const stranger = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.db
      .updateTable('users')
      .set({ email: null, alternate_id: `no-mail-${order.id}` })
      .where('id', '=', person.id)
      .execute()
    await shop.pay(order, { percent: 300 })
    await person.until(order.id, 'Paid')
    await shop.settle()
    const path = `/api/orders/${order.id}/refunds`
    const [refund] = (await person.get(path)).json<{ claim_url: string }[]>()
    expect(refund).toMatchObject({ status: 'done', amount_in_cents: 800 })
    expect(refund).not.toHaveProperty('reason')
    const [, claim] = /claim\/(\w+)/.exec(refund?.claim_url ?? '') ?? []
    expect(await shop.coins(`/pull-payments/${claim}`)).toMatchObject({ currency: 'BTC' })
    expect((await stranger.get(path)).status).toBe(404)
    const rows = await shop.db.selectFrom('refunds').select('sealed_claim').execute()
    expect(JSON.stringify(rows)).not.toContain(claim)
  })

  it('a refund of XMR-CHAIN is left to operators, as BTCPay refuses it', async () => {
    const person = await buyer(shop)
    const pending = await person.pending('CryptoCommerce')
    await shop.pay(pending, { method: 'XMR-CHAIN' })
    const order = await person.until(pending.id, 'Paid')
    expect((await give(order)).status).toBe(200)
    await shop.settle()
    expect(await refundsOf(order)).toMatchObject([{ status: 'by_hand', amount_in_cents: 400 }])
  })

  it('a refund in cryptocurrency emails a link to claim it, and shows it to the signed-in buyer, but to no API key and no operator', async () => {
    const { person, order } = await buyIds([newId()], 'CryptoCommerce')
    await give(order)
    const { text } = await shop.mailAbout(person.email, `refund for order ${order.order_number}`)
    const [, claim] = /claim\/(\w+)/.exec(text ?? '') ?? []
    expect(await shop.coins(`/pull-payments/${claim}`)).toMatchObject({ amount: '0.00004102' })
    expect(await refundsOf(order)).toMatchObject([{ status: 'done' }])
    const path = `/api/orders/${order.id}/refunds`
    const keyOf = async (maker: Pick<Buyer, 'post'>, scope: string) => {
      const response = await maker.post('/api/api_keys', { name: scope, scopes: [scope] })
      return { headers: { 'x-api-key': response.json<{ api_key: string }>().api_key } }
    }
    const [own, operators] = [
      await keyOf(person, 'order:readSelf'),
      await keyOf(admin, 'refund:read'),
    ]
    type Claim = { order_id: string; claim_url: string | null; has_claim: boolean }
    const [outcomeOf] = (await person.get(path)).json<Claim[]>()
    expect(outcomeOf).toMatchObject({
      claim_url: expect.stringContaining('/claim/'),
      has_claim: true,
    })
    const others = [
      ...(await shop.get(path, own)).json<Claim[]>(),
      ...(await shop.get(path, operators)).json<Claim[]>(),
      ...(await admin.get(path)).json<Claim[]>(),
    ]
    expect(others.map(({ claim_url, has_claim }) => [claim_url, has_claim])).toEqual([
      [null, true],
      [null, true],
      [null, true], // biome-ignore format: one line
    ])
    for (const credentials of [operators, bearer(admin.tokens.access_token)]) {
      const page = await shop.get('/api/refunds?dir=Desc&limit=100', credentials)
      const { data } = page.json<{ data: Claim[] }>()
      expect(data.find(({ order_id }) => order_id === order.id)).toMatchObject({ has_claim: true })
      expect(data.filter(({ claim_url }) => claim_url !== null)).toEqual([])
    }
  })

  it('a refund of an order paid in two ways is split over both', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    const { payment_intent_id: intent } = order.payment_method_data ?? {}
    await payWithCash(admin, order, 100)
    await shop.pay(await person.checkout('CardCheckout'))
    await person.until(order.id, 'Paid')
    await give(order)
    const parts = (await refundsOf(order)).map(({ status, amount_in_cents }) => [
      status === 'by_hand' ? 'by_hand' : 'by card',
      amount_in_cents,
    ])
    expect(parts.toSorted()).toEqual([
      ['by card', 300],
      ['by_hand', 100],
    ])
    expect(await atBank(intent ?? '')).toEqual([])
  })

  it('a refund of cash is left to operators', async () => {
    const { person, order } = await boughtWithCash()
    expect((await give(order)).json<Order>()).toMatchObject({ refunded_total_in_cents: 400 })
    await shop.settle()
    expect(await refundsOf(order)).toMatchObject([{ status: 'by_hand', amount_in_cents: 400 }])

    const listWaiting = async () => {
      const page = await admin.get('/api/refunds?status=by_hand&limit=200')
      return page.json<{ data: { order_id: string }[] }>().data.map(({ order_id }) => order_id)
    }
    expect(await listWaiting()).toContain(order.id)
    const [refund] = await refundsOf(order)
    const note = (refundId = refund?.id) =>
      admin.post(`/api/refunds/${refundId}/given`, { reference: 'receipt 17 of the till' })
    await shop.db.updateTable('users').set({ role: 'Admin' }).where('id', '=', person.id).execute()
    const byBuyer = await person.post(`/api/refunds/${refund?.id}/given`, { reference: 'trust me' })
    expect(outcomeOf(byBuyer)).toEqual([403, 'own_order'])
    const answers = await Promise.all([note(), note(), note()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect(await refundsOf(order)).toMatchObject([{ status: 'done', done_at: expect.any(String) }])
    expect(await listWaiting()).not.toContain(order.id)
    expect((await note(randomUUID())).status).toBe(404)
  })

  it('a refund of a free order revokes the id without money', async () => {
    const person = await buyer(shop)
    const { id } = await person.pending()
    await person.promo(await code({ discount_as_percentage: 100 }))
    const order = await person.checkout('Free')
    expect(order).toMatchObject({ status: 'Paid', eligible_for_refund: false })
    expect((await give(order)).json<Order>()).toMatchObject({ refunded_total_in_cents: 0 })
    expect(await refundsOf(order)).toEqual([])
    expect(await person.order(id)).toMatchObject({ remaining_due_in_cents: 0 })
    expect((await person.get('/api/emoji_id')).json()).toEqual([])
  })

  it('waits for an unavailable provider; a lost job is queued again, a removed one is paid by hand', async () => {
    const { order, ids, intent } = await boughtByCard([newId(), newId(), newId()])
    const [waitingId = '', removedId = '', lostId = ''] = ids
    const knownRefunds = new Set<string>()
    const refundId = async (id: string) => {
      expect((await give(order, { item_ids: [itemOf(order, id)] })).status).toBe(200)
      const refund = (await refundsOf(order)).find((row) => !knownRefunds.has(row.id))
      knownRefunds.add(refund?.id ?? '')
      return refund?.id
    }
    await shop.closeProviders()
    const waitingRefund = await refundId(waitingId)
    expect(await shop.ownerOf(waitingId)).toBeUndefined()
    const [waitingJob] = await failedJobs(1)
    const removedRefund = await refundId(removedId)
    const removedJob = (await failedJobs(2)).find((job) => job !== waitingJob)
    const lostRefund = await refundId(lostId)
    const lostJob = (await failedJobs(3)).find((job) => ![waitingJob, removedJob].includes(job))
    const removal = `/api/admin/jobs/${removedJob}?reason=It+never+works`
    // It may be in a retry just now.
    await expect.poll(async () => (await admin.delete(removal)).status).toBe(200)
    await sql`select graphile_worker.complete_jobs(array[${lostJob}::bigint])`.execute(shop.db)
    const statusOf = async (refund_id: string | undefined) =>
      (await refundsOf(order)).find(({ id }) => id === refund_id)?.status
    expect(await statusOf(waitingRefund)).toBe('queued')
    expect(await statusOf(lostRefund)).toBe('queued')
    await shop.openProviders()

    expect(await statusOf(removedRefund)).toBe('by_hand')
    expect(await lastNote('job.removed')).toMatchObject({
      refund_id: removedRefund,
      order_id: order.id,
      reason: 'It never works',
    })
    const payout = await admin.post(`/api/refunds/${removedRefund}/given`, { reference: 'bank 77' })
    expect(payout.json()).toMatchObject({ status: 'done' })

    // Its next try would run some seconds later.
    await sql`select graphile_worker.reschedule_jobs(array[${waitingJob}::bigint], run_at := now())`.execute(
      shop.db,
    )
    await expect.poll(() => statusOf(waitingRefund)).toBe('done')
    await shop.run('refunds.requeue')
    await shop.run('refunds.requeue')
    expect(await statusOf(lostRefund)).toBe('done')
    expect(await atBank(intent)).toEqual([400, 400])
  })
})

/** Failed jobs for refunds that no worker runs, once there are so many. */
async function failedJobs(count: number): Promise<string[]> {
  type Jobs = { data: { id: string }[] }
  const find = async () => {
    const page = await admin.get('/api/admin/jobs?state=failed&task=payments.refund')
    return page.json<Jobs>().data.map(({ id }) => id)
  }
  let ids: string[] = []
  await waitUntil(async () => {
    ids = await find()
    return ids.length === count || `${ids.length} of ${count} jobs have failed`
  })
  return ids
}
async function lastNote(event: string) {
  const page = await admin.get(`/api/admin/audit?event=${event}&limit=1`)
  return page.json<{ data: { details: object }[] }>().data[0]?.details
}

it('a refund closes a transfer of the id in the same transaction (T93)', async () => {
  const { person, order, id } = await boughtWithCash()
  const { email } = await buyer(shop)
  const offeredAnswer = await person.post('/api/transfers', { eid: id, email })
  expect(offeredAnswer.status).toBe(200)
  expect((await give(order)).status).toBe(200)
  expect(await shop.ownerOf(id)).toBeUndefined()
  const transferList = (await person.get('/api/transfers')).json<{ data: object[] }>().data
  expect(transferList).toMatchObject([{ accepted_at: null, deleted_at: expect.any(String) }])
})

describe('a refund', () => {
  type SaleCase = Awaited<ReturnType<typeof boughtWithCash>>
  const moves: [string, string, (sold: SaleCase) => Promise<unknown>][] = [
    [
      'given to another user',
      'not_owned',
      async ({ id }) => {
        const { email } = await buyer(shop)
        const transferBody = { eid: id, email, force_transfer: true, reason: 'Support' }
        expect((await admin.post('/api/transfers', transferBody)).status).toBe(200)
      },
    ],
    [
      'minted',
      'minted',
      ({ id }) =>
        shop.db.updateTable('emoji_ids').set({ minted: true }).where('emoji_id', '=', id).execute(),
    ],
  ]

  it.each(moves)(
    'is refused once the id was %s, unless an operator overrides it',
    async (_how, obstacle, move) => {
      const saleCase = await boughtWithCash()
      const { person, order, id } = saleCase
      await move(saleCase)
      const owner = await shop.ownerOf(id)
      expect(await isEligible(person, order)).toBe(false)
      expect(obstaclesOf(await person.order(order.id))).toEqual([obstacle])
      expect(outcomeOf(await ask(person, order))).toEqual([422, 'not_refundable'])
      const refusal = await give(order)
      expect(outcomeOf(refusal)).toEqual([422, 'not_refundable'])
      expect(refusal.json()['error']).toContain(`${id} can’t be refunded.`)
      expect(await shop.ownerOf(id)).toBe(owner)
      expect(await refundsOf(order)).toEqual([])

      expect((await give(order, { override: true })).status).toBe(200)
      // The new owner keeps it, and so does the holder of the token.
      expect(await shop.ownerOf(id)).toBe(owner)
      expect(await refundsOf(order)).toMatchObject([{ amount_in_cents: 400 }])
    },
  )

  it('is refused while a mint signature is valid, even with an override (T97)', async () => {
    const { person, order, id } = await boughtWithCash()
    const body = { account: `0x${'5'.repeat(40)}` }
    expect((await person.post(at(id, '/generate_signature'), body)).status).toBe(200)
    for (const override of [false, true]) {
      expect(outcomeOf(await give(order, { override }))).toEqual([422, 'signature_live'])
    }
    expect(await isEligible(person, order)).toBe(false)
    expect(obstaclesOf(await person.order(order.id))).toEqual(['signature_live'])
    // The watcher of the contract may report a mint of the last moment.
    shop.clock.advance(20 * 60_000)
    const operator = await logIn(shop, admin)
    const path = `/api/orders/${order.id}/refund`
    const late = await operator.post(path, { reason: 'asked for it', override: true })
    expect(outcomeOf(late)).toEqual([422, 'signature_live'])
    admin = { ...admin, ...operator }
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect(await refundsOf(order)).toEqual([])
  })

  it('is refused for an id that the buyer released and bought again: the newer order has it', async () => {
    const { person, order, id } = await boughtWithCash()
    await person.delete(at(id))
    await insertPaidOrder(shop, person.id, [id])
    expect(obstaclesOf(await person.order(order.id))).toEqual(['not_owned'])
    expect(outcomeOf(await give(order))).toEqual([422, 'not_refundable'])
    expect((await give(order, { override: true })).status).toBe(200)
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('of a refund and a concurrent mint signature one is refused (T97)', async () => {
    const { person, order, id } = await boughtWithCash()
    const body = { account: `0x${'5'.repeat(40)}` }
    const [refundAnswer, ...signAnswers] = await Promise.all([
      give(order, {}),
      ...Array.from({ length: 4 }, () => person.post(at(id, '/generate_signature'), body)),
    ])
    const isSigned = signAnswers.some(({ status }) => status === 200)
    expect([refundAnswer.status === 200, isSigned].filter(Boolean)).toHaveLength(1)
    expect((await refundsOf(order)).length).toBe(isSigned ? 0 : 1)
  })

  it('is refused for an unpaid order, and a draft cannot be marked as paid', async () => {
    const person = await buyer(shop)
    const draft = await person.add(newId())
    expect(draft.eligible_for_refund).toBe(false)
    expect(outcomeOf(await give(draft))).toEqual([422, 'not_paid'])
    expect(outcomeOf(await give(draft, {}, 'payment_override'))).toEqual([422, 'not_pending'])
    const pending = await person.checkout('CardCheckout')
    expect(pending.eligible_for_refund).toBe(false)
    for (const [path, body] of [
      ['refund', { override: true }],
      ['misc_refund', { amount_in_cents: 1 }],
      ['resend_confirmation', {}],
    ] as const) {
      expect(outcomeOf(await give(pending, body, path))).toEqual([422, 'not_paid'])
    }
  })

  it('is refused as a whole for ids of another order and for an unknown member', async () => {
    const [one, other] = [await boughtWithCash(), await boughtWithCash()]
    for (const item_ids of [
      [itemOf(other.order, other.id)],
      [itemOf(one.order, one.id), itemOf(one.order, one.id)],
      [itemOf(one.order, one.id), randomUUID()],
    ]) {
      expect(outcomeOf(await give(one.order, { item_ids }))).toEqual([422, 'nothing_to_refund'])
    }
    const items = [itemOf(one.order, one.id)]
    expect((await give(one.order, { items })).status).toBe(400)
    const body = { amount_in_cents: 1, amount: 1 }
    expect((await give(one.order, body, 'misc_refund')).status).toBe(400)
    expect(await refundsOf(one.order)).toEqual([])
    expect(await shop.ownerOf(one.id)).toBe(one.person.id)
  })

  it('is refused for a malformed request, and for an order that does not exist', async () => {
    const order = { id: randomUUID() } as Order
    const bad: [string, object][] = [
      ['refund', { reason: '' }],
      ['refund', { reason: ' ' }],
      ['refund', { reason: 'x'.repeat(501) }],
      ['refund', { item_ids: [] }],
      ['refund', { item_ids: ["' or 1=1"] }],
      ['misc_refund', {}],
      ['misc_refund', { amount_in_cents: 0 }],
      ['misc_refund', { amount_in_cents: -1 }],
      ['misc_refund', { amount_in_cents: 1.5 }],
      ['misc_refund', { amount_in_cents: '1e3' }],
      ['misc_refund', { amount_in_cents: 2 ** 31 }],
      ['payment_override', { reason: null }],
      ['refund_request/decline', { reason: ' ' }],
    ]
    for (const [path, body] of bad) {
      expect((await give(order, body, path)).status, `${path} ${JSON.stringify(body)}`).toBe(400)
    }
    for (const path of ['refund', 'misc_refund', 'payment_override', 'refund_request/decline']) {
      const body = path === 'misc_refund' ? { amount_in_cents: 1 } : {}
      expect((await give(order, body, path)).status, path).toBe(404)
      expect((await give({ id: 'x' } as Order, body, path)).status, path).toBe(400)
    }
    expect((await admin.get(`/api/orders/${order.id}/refunds`)).status).toBe(404)
  })
})

describe('a partial refund', () => {
  it('is limited to the money that is left; the id stays', async () => {
    const { person, order, id, intent } = await boughtByCard()
    const refundSum = (amount_in_cents: number) => give(order, { amount_in_cents }, 'misc_refund')
    expect((await refundSum(150)).json<Order>()).toMatchObject({
      refunded_total_in_cents: 0,
      eligible_for_refund: true,
    })
    expect(outcomeOf(await refundSum(251))).toEqual([422, 'too_large_refund'])
    expect((await refundSum(100)).status).toBe(200)
    expect((await give(order)).json<Order>()).toMatchObject({
      refunded_total_in_cents: 150,
    })
    expect(outcomeOf(await refundSum(1))).toEqual([422, 'too_large_refund'])
    await shop.settle()
    expect(await person.order(order.id)).toMatchObject({ misc_refunded_total_in_cents: 250 })
    expect((await atBank(intent)).toSorted()).toEqual([100, 150, 150])
    expect(await shop.ownerOf(id)).toBeUndefined()
    expect((await shop.mailAbout(person.email, 'Your refund')).text).toContain('$1.')
  })

  it('succeeds as often as there is money, of 6 concurrent requests', async () => {
    const { person, order, id } = await boughtWithCash()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => give(order, { amount_in_cents: 100 }, 'misc_refund')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const sums = (await refundsOf(order)).map(({ amount_in_cents }) => amount_in_cents)
    expect(sums).toEqual([100, 100, 100, 100])
    expect(await shop.ownerOf(id)).toBe(person.id)
  })
})

describe('marking an order as paid', () => {
  it('grants the ids, ends the payment, and leaves no money to refund', async () => {
    const person = await buyer(shop)
    const id = newId()
    const order = await person.pending('CardCheckout', [id])
    const paymentAnswer = await give(order, {}, 'payment_override')
    expect(paymentAnswer.json<Order>()).toMatchObject({ status: 'Paid', remaining_due_in_cents: 0 })
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect(await person.order(order.id)).toMatchObject({
      eligible_for_refund: false,
      order_items: [{ refund_obstacle: 'no_money' }],
    })
    expect(outcomeOf(await ask(person, order))).toEqual([422, 'not_refundable'])
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'override', amount_in_cents: 400 },
    ])
    await shop.mailAbout(person.email, 'receipt')
    const { payment_intent_id: intent } = order.payment_method_data ?? {}
    const status = async () =>
      (await shop.cards<{ status: string }>(`/payment_intents/${intent}`)).status
    await expect.poll(status).toBe('canceled')
    expect(outcomeOf(await give(order, {}, 'payment_override'))).toEqual([422, 'not_pending'])
    const returnAnswer = await give(order, { amount_in_cents: 1 }, 'misc_refund')
    expect(outcomeOf(returnAnswer)).toEqual([422, 'too_large_refund'])
    expect((await give(order)).json<Order>()).toMatchObject({ refunded_total_in_cents: 0 })
    expect(await shop.ownerOf(id)).toBeUndefined()
  })

  it('refunds money that the buyer had paid meanwhile', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    await shop.payUnheard(order)
    await give(order, {}, 'payment_override')
    const sum = async () => (await person.order(order.id)).misc_refunded_total_in_cents
    await expect.poll(sum).toBe(400)
    expect(await shop.ownerOf(order.order_items[0]?.emoji_id ?? '')).toBe(person.id)
  })
})

describe('access to refunds', () => {
  it('is for operators, not for the buyer (T65)', async () => {
    const person = await buyer(shop)
    const { id } = await person.pending()
    const request = { reason: 'I want it', amount_in_cents: 1 }
    const paths = ['refund', 'misc_refund', 'payment_override', 'refund_request/decline']
    for (const path of paths) {
      expect((await person.post(`/api/orders/${id}/${path}`, request)).status).toBe(403)
      expect((await shop.post(`/api/orders/${id}/${path}`, request)).status).toBe(401)
    }
    expect((await person.get('/api/refunds')).status).toBe(403)
    expect((await person.order(id)).status).toBe('PendingPayment')
  })

  it('excludes operators from their own order, who may request a refund as every buyer', async () => {
    const promote = ({ id }: Buyer) =>
      shop.db.updateTable('users').set({ role: 'Admin' }).where('id', '=', id).execute()
    const reason = 'It is mine'
    const { person, order, id } = await boughtWithCash()
    await promote(person)
    const ask = (path: string, more: object = {}, about = order) =>
      person.post(`/api/orders/${about.id}/${path}`, { reason, ...more })
    const own = [403, 'own_order']
    expect(outcomeOf(await ask('misc_refund', { amount_in_cents: 1 }))).toEqual(own)
    expect(outcomeOf(await ask('refund', { override: true }))).toEqual(own)
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect(await refundsOf(order)).toEqual([])
    const pending = await person.pending()
    expect(outcomeOf(await ask('payment_override', {}, pending))).toEqual(own)
    expect(await person.order(pending.id)).toMatchObject({ status: 'PendingPayment' })

    expect((await ask('refund_request')).status).toBe(200)
    expect((await give(order, { amount_in_cents: 1 }, 'misc_refund')).status).toBe(200)
    expect(outcomeOf(await ask('refund'))).toEqual(own)
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect((await give(order, {}, 'refund')).status).toBe(200)
    expect(await shop.ownerOf(id)).toBeUndefined()
    expect((await give(pending, {}, 'payment_override')).status).toBe(200)
  })

  it('needs the scope for API keys', async () => {
    const { order } = await boughtWithCash()
    const key = async (...scopes: string[]) => {
      const response = await admin.post('/api/api_keys', { name: 'books', scopes })
      return { headers: { 'x-api-key': response.json<{ api_key: string }>().api_key } }
    }
    const reader = await key('refund:read')
    expect((await shop.get(`/api/orders/${order.id}/refunds`, reader)).status).toBe(200)
    const path = `/api/orders/${order.id}/refund`
    expect((await shop.post(path, { reason: 'by key' }, reader)).status).toBe(403)
    const refunder = await key('order:refund')
    const insisting = { reason: 'by key', override: true }
    expect((await shop.post(path, insisting, refunder)).status).toBe(403)
    expect(await refundsOf(order)).toEqual([])
    expect((await shop.post(path, { reason: 'by key' }, refunder)).status).toBe(200)
  })
})

describe('with time', () => {
  /** Until the test ends, as the sign-in of the operator that it needs. */
  const advance = (ms: number) => {
    const before = admin
    shop.clock.advance(ms)
    onTestFinished(() => {
      shop.clock.advance(-ms)
      admin = before
    })
  }

  it('an id can be bought a day after its refund, without data of its former owner (T119)', async () => {
    const { person, order, id } = await boughtWithCash([newId()], goodPassword)
    await person.patch(at(id), { insert: [{ tag: '0x5001', data: 'Anna' }] })
    await person.post(at(id, '/json/SvcPageData'), { data: { title: 'Anna' } })
    await give(order)
    advance(24 * hourMs - 60_000)
    expect(await search(id)).toMatchObject({ availability: 'Taken' })
    advance(60_000)
    expect(await search(id)).toMatchObject({ availability: 'Available', price: 400 })

    const other = await buyer(shop)
    admin = { ...admin, ...(await logIn(shop, admin)) }
    await payWithCash(admin, await other.add(id), 400)
    expect(await shop.ownerOf(id)).toBe(other.id)
    for (const view of ['', '/payment', '/proof', '/history', '/json/SvcPageData']) {
      expect((await shop.get(at(id, view))).body).not.toContain('Anna')
    }
    const former = await logIn(shop, person)
    expect((await former.patch(at(id), { insert: [] })).status).toBe(403)
  })

  it('a refund is refused after 14 days, unless an operator overrides it', async () => {
    const { person, order, id } = await boughtWithCash([newId()], goodPassword)
    const eligible = async () => {
      const { get } = await logIn(shop, person)
      return (await get(`/api/orders/${order.id}`)).json<Order>().eligible_for_refund
    }
    advance(14 * 24 * hourMs - 60_000)
    expect(await eligible()).toBe(true)
    advance(120_000)
    expect(await eligible()).toBe(false)
    const late = (await (await logIn(shop, person)).get(`/api/orders/${order.id}`)).json<Order>()
    expect(obstaclesOf(late)).toEqual(['too_late'])
    admin = { ...admin, ...(await logIn(shop, admin)) }
    expect(outcomeOf(await give(order))).toEqual([422, 'not_refundable'])
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect((await give(order, { override: true })).status).toBe(200)
    expect(await shop.ownerOf(id)).toBeUndefined()
    expect(await refundsOf(order)).toMatchObject([{ amount_in_cents: 400 }])
  })
})

describe('a request for a refund', () => {
  const decline = (order: Order, reason = 'It was used for a week') =>
    give(order, { reason }, 'refund_request/decline')
  const listRefundOrders = async ({ user_id }: Order, state: string) => {
    const page = await admin.get(`/api/orders?refund_request=${state}&user_id=${user_id}`)
    return page.json<{ data: Order[] }>().data.map(({ id }) => id)
  }

  it('is declined with a reason that is emailed to the buyer, until a later refund or request', async () => {
    const { person, order, id } = await boughtWithCash()
    expect(outcomeOf(await decline(order))).toEqual([422, 'not_asked'])
    expect((await ask(person, order)).json()).toMatchObject({
      refund_answered_at: null,
      refund_declined: null,
    })
    const answers = await Promise.all([decline(order), decline(order), decline(order)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect(await person.order(order.id)).toMatchObject({
      refund_answered_at: expect.any(String),
      refund_declined: 'It was used for a week',
      refunded_total_in_cents: 0,
      eligible_for_refund: true,
    })
    expect(await shop.ownerOf(id)).toBe(person.id)
    expect(await listRefundOrders(order, 'open')).toEqual([])
    expect(await listRefundOrders(order, 'handled')).toEqual([order.id])
    const mail = await shop.mailAbout(person.email, `refund for order ${order.order_number}`)
    expect(mail.text).toContain('It was used for a week')
    expect(await lastNote('order.refund_declined')).toMatchObject({
      order_id: order.id,
      reason: 'It was used for a week',
    })

    await give(order, { amount_in_cents: 100 }, 'misc_refund')
    expect((await person.order(order.id)).refund_declined).toBeNull()
    expect((await ask(person, order, 'I never used it')).json()).toMatchObject({
      refund_answered_at: null,
      refund_declined: null,
    })
    expect(await listRefundOrders(order, 'open')).toEqual([order.id])
    expect((await give(order)).status).toBe(200)
    expect(await listRefundOrders(order, 'open')).toEqual([])
  })

  it('is closed by a concurrent refund', async () => {
    const { person, order } = await boughtWithCash()
    const requests = Array.from({ length: 4 }, () => ask(person, order))
    const [refundAnswer, ...answers] = await Promise.all([give(order), ...requests])
    expect(refundAnswer?.status).toBe(200)
    expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
    expect(await listRefundOrders(order, 'open')).toEqual([])
  })

  it('covers items that the buyer still owns; the rest is marked', async () => {
    const [ownedId, gone] = [newId(), newId()]
    const { person, order } = await boughtWithCash([ownedId, gone])
    const marks = async () => {
      const { order_items } = await person.order(order.id)
      return order_items.map(({ emoji_id, refund_obstacle }) => [emoji_id, refund_obstacle])
    }
    expect(obstaclesOf(order)).toEqual([null, null])
    await person.delete(at(gone))
    expect(await marks()).toEqual([
      [ownedId, null],
      [gone, 'not_owned'],
    ])
    expect((await ask(person, order)).status).toBe(200)
    expect((await give(order, { item_ids: [itemOf(order, ownedId)] })).status).toBe(200)
    expect((await marks())[0]).toEqual([ownedId, 'refunded'])
  })
})

describe('a refund of a stolen account', () => {
  const unsettled = [422, 'recent_email_change']
  /** A thief with the password confirms an address of their own. */
  async function steal({ id, email: owner }: Pick<Buyer, 'id' | 'email'>) {
    const session = await logIn(shop, { email: owner, password: goodPassword })
    const email = newEmail()
    shop.clock.advance(1_000)
    const change = await session.patch('/api/account', { email, current_password: goodPassword })
    expect(change.status).toBe(200)
    expect((await press(shop, await shop.linkTo(email))).status).toBe(200)
    shop.clock.advance(1_000)
    return { id, email, ...(await logIn(shop, { email, password: goodPassword })) }
  }
  const paid = async (method = 'CryptoCommerce') => {
    const person = await buyer(shop, { password: goodPassword })
    const pending = await person.pending(method)
    await shop.pay(pending)
    return { person, order: await person.until(pending.id, 'Paid') }
  }
  const requestBy = (by: Pick<Person, 'post'>, { id }: Order) =>
    by.post(`/api/orders/${id}/refund_request`, { reason: 'I want the money' })
  const claimsBy = async (by: Pick<Person, 'get'>, { id }: Order, query = '') =>
    (await by.get(`/api/orders/${id}/refunds${query}`)).json<
      { claim_url: string | null; claim_from?: string; has_claim: boolean }[]
    >()
  const refund = async ({ id }: Order, path = 'refund', body = {}) =>
    outcomeOf(
      await (await logIn(shop, admin)).post(`/api/orders/${id}/${path}`, {
        reason: 'asked for it',
        ...body,
      }),
    )
  const notMeLink = async (email: string, words: string) => {
    const { text } = await shop.mailAbout(email, words)
    return /(\/auth\/not_me\?token=\S+)/.exec(text ?? '')?.[1] ?? ''
  }

  it('is not requested by an API key or an old session, and emails the owner, whose link ends it', async () => {
    const { person, order, id } = await boughtWithCash([newId()], goodPassword)
    const key = await callsWithKey(shop, person, ['order:readSelf'])
    expect((await requestBy(key, order)).status).toBe(403)
    const session = await logIn(shop, person)
    const old = await later(shop, session.tokens)
    expect(outcomeOf(await requestBy(old, order))).toEqual([403, 'old_login'])
    const fresh = await logIn(shop, person)
    expect((await requestBy(fresh, order)).status).toBe(200)
    const link = await notMeLink(person.email, 'A refund was requested')
    expect((await shop.get(link)).body).toContain('The refund request ends')
    expect((await press(shop, link)).status).toBe(200)
    const back = await setNewPassword(shop, person.email)
    expect((await back.get(`/api/orders/${order.id}`)).json()).toMatchObject({
      refund_declined: expect.stringContaining('revoked'),
      refund_answered_at: expect.any(String),
    })
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('does not leave the account for three days after a change of its address, requested before or not', async () => {
    const { person, order } = await paid()
    const session = await logIn(shop, { email: person.email, password: goodPassword })
    expect((await requestBy(session, order)).status).toBe(200)
    const thief = await steal(person)
    expect(await refund(order)).toEqual(unsettled)
    expect(await refund(order, 'misc_refund', { amount_in_cents: 100 })).toEqual(unsettled)
    const ownerMail = await shop.mailAbout(person.email, 'A refund was requested')
    expect(ownerMail.text).toContain('not_me')
    expect((await thief.get(`/api/orders/${order.id}`)).json()).toMatchObject({
      refund_declined: expect.stringContaining('revoked'),
    })
    const change = await notMeLink(person.email, 'Your email address was changed')
    expect((await press(shop, change)).status).toBe(200)
    const back = await setNewPassword(shop, person.email)
    expect((await requestBy(back, order)).status).toBe(200)
    expect(await refund(order)).toEqual([200, undefined])
  })

  it('has its claim link kept from the new address and from old sessions', async () => {
    const { person, order } = await paid()
    expect(await refund(order)).toEqual([200, undefined])
    await shop.settle()
    const path = `/api/orders/${order.id}/refunds?claims=true`
    const session = await logIn(shop, person)
    expect((await claimsBy(session, order))[0]?.claim_url).toContain('/claim/')
    const old = await later(shop, session.tokens)
    expect(await claimsBy(old, order)).toMatchObject([{ claim_url: null, has_claim: true }])
    expect(outcomeOf(await old.get(path))).toEqual([403, 'old_login'])
    const thief = await steal(person)
    const [held] = await claimsBy(thief, order, '?claims=true')
    expect(held).toMatchObject({ claim_url: null, claim_from: expect.any(String) })
    shop.clock.advance(72 * hourMs)
    const owner = await logIn(shop, { email: thief.email, password: goodPassword })
    expect((await claimsBy(owner, order))[0]?.claim_url).toContain('/claim/')
  })

  it('that the service makes itself tells both mailboxes, and neither gets the link', async () => {
    const person = await buyer(shop, { password: goodPassword })
    const pending = await person.pending('CryptoCommerce')
    const thief = await steal(person)
    await shop.pay(pending, { percent: 200 })
    const order = await person.until(pending.id, 'Paid')
    const words = `refund for order ${pending.order_number}`
    for (const email of [person.email, thief.email]) {
      const { text } = await shop.mailAbout(email, words)
      expect(text).toContain('you can claim the refund in your account from')
      expect(text).not.toContain('/claim/')
    }
    expect(await claimsBy(thief, { ...pending, ...order, id: pending.id })).toMatchObject([
      { claim_url: null, has_claim: true },
    ])
  })
})
