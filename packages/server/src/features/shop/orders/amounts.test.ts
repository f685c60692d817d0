import { describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { grant, newId } from '../../../../test/support/ids.ts'
import { insertCardOrder, insertPaidOrder } from '../../../../test/support/paid-orders.ts'
import { registerAs } from '../../../../test/support/people.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { type Buyer, buyer, type Order } from '../../../../test/support/shop.ts'

const shop = await sharedShop()
const admin = await registerAs(shop, 'Admin')

async function buy(person: Buyer, method: string, more: object = {}): Promise<[Order, Order]> {
  await person.add(newId())
  const pending = await person.checkout(method, more)
  await shop.pay(pending)
  return [pending, await person.until(pending.id, 'Paid')]
}
const refundMisc = (id: string, amount_in_cents: number) =>
  admin.post(`/api/orders/${id}/misc_refund`, { amount_in_cents, reason: 'Sorry' })
const miscOf = async (person: Buyer, id: string) =>
  (await person.order(id)).misc_refunded_total_in_cents

describe('misc_refunded_total_in_cents', () => {
  it('counts a refund in cash once an operator has paid it', async () => {
    const person = await buyer(shop)
    const id = await insertPaidOrder(shop, person.id, [newId()])
    const plannedOrder = (await refundMisc(id, 150)).json<Order>()
    expect(plannedOrder.misc_refunded_total_in_cents).toBe(0)
    // A planned refund cannot be promised a second time.
    const more = await refundMisc(id, 300)
    expect([more.status, more.json()['code']]).toEqual([422, 'too_large_refund'])
    const refunds = (await admin.get(`/api/orders/${id}/refunds`)).json<{ id: string }[]>()
    const payment = { reference: 'receipt 17 of the till' }
    await admin.post(`/api/refunds/${refunds[0]?.id}/given`, payment)
    expect(await miscOf(person, id)).toBe(150)
  })

  it('counts a refund to a card once the provider has it', async () => {
    const person = await buyer(shop)
    const { order_id: id } = await insertCardOrder(shop, person.id, [newId()])
    await shop.closeProviders()
    expect((await refundMisc(id, 150)).json<Order>().misc_refunded_total_in_cents).toBe(0)
    await shop.openProviders()
    await expect.poll(() => miscOf(person, id)).toBe(150)
  })
})

describe('misc_refunded_total_in_cents of a refund that the buyer has to claim', () => {
  it('counts it once it was claimed and paid out', async () => {
    const person = await buyer(shop)
    const [, { id }] = await buy(person, 'CryptoCommerce')
    expect((await refundMisc(id, 150)).status).toBe(200)
    await expect.poll(() => shop.miscSentOf(id)).toBe(150)
    const refundsOf = async () =>
      (await person.get(`/api/orders/${id}/refunds`)).json<
        { status: string; claim_url: string; paid_out_at: string | null }[]
      >()
    const [refund] = await refundsOf()
    const [, claim] = /claim\/(\w+)/.exec(refund?.claim_url ?? '') ?? []
    const afterAsking = async () => {
      await shop.run('payments.claims')
      const [{ paid_out_at } = { paid_out_at: null }] = await refundsOf()
      return [await miscOf(person, id), paid_out_at !== null]
    }
    expect(await afterAsking()).toEqual([0, false])
    const destination = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    await shop.atProvider(`/claims/${claim}/claim`, { destination })
    expect(await afterAsking()).toEqual([0, false])
    await shop.atProvider(`/claims/${claim}/pay`)
    expect(await afterAsking()).toEqual([150, true])
    // An unclaimed refund must not end the checks of others.
    expect(await afterAsking()).toEqual([150, true])
  })
})

describe('items that are marked invalid', () => {
  it('invalid items are not in the total, until they are available again', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const [takenId, heldId, free] = [newId(), newId(), newId()]
    await grant(admin, { user_id: admin.id }, takenId)
    await other.pending('CardCheckout', [heldId])
    const cart = await person.add(takenId, heldId, free)
    expect(cart.order_items.map((item) => item.marked_invalid_at_reason)).toEqual([
      'Taken',
      'PendingPurchase',
      null,
    ])
    expect(cart).toMatchObject({ total_in_cents: 400, remaining_due_in_cents: 400 })
    await person.delete(`/api/cart/cart_items/${cart.order_items[0]?.id}`)
    await other.post('/api/cart/convert_to_draft')
    const order = await person.checkout('CardCheckout')
    expect(order).toMatchObject({ total_in_cents: 800, remaining_due_in_cents: 800 })
  })

  it('leave a total of 0, never a free purchase', async () => {
    const person = await buyer(shop)
    const takenId = await grant(admin, { user_id: admin.id })
    expect(await person.add(takenId)).toMatchObject({ total_in_cents: 0 })
    const answer = await person.post('/api/cart/checkout', { method: 'Free' })
    expect([answer.status, answer.json()['code']]).toEqual([422, 'taken'])
  })
})

describe('payment_method_data of a Paid order', () => {
  const members = [
    'cancel_url',
    'client_secret',
    'invoice_id',
    'method',
    'methods',
    'payment_intent_id',
    'session_id',
    'success_url',
  ]
  const urls = { success_url: 'https://shop.example/yes', cancel_url: 'https://shop.example/no' }

  it.each([
    ['CardCheckout', urls],
    ['CryptoCommerce', {}],
  ])(
    'stays, with the members of the contract and without the secret: %s %o',
    async (method, more) => {
      const person = await buyer(shop)
      const [pending, paidOrder] = await buy(person, method, more)
      const data = paidOrder.payment_method_data
      expect(Object.keys(data ?? {}).toSorted()).toEqual(members)
      const { checkout_url: _, ...view } = pending.payment_method_data ?? {}
      expect(data).toEqual({ ...view, client_secret: '' })
      const page = (await person.orders()).find(({ id }) => id === paidOrder.id)
      expect(page?.payment_method_data).toEqual(data)
      const seenOrder = (await admin.get(`/api/orders/${paidOrder.id}`)).json<Order>()
      expect(seenOrder.payment_method_data).toEqual(data)
    },
  )

  it('payment_method_data of a paid order is null for Free', async () => {
    const person = await buyer(shop)
    const code = await makeCode(admin, redemptionCode({ discount_as_percentage: 100 }))
    await person.pending('CardCheckout')
    await person.promo(code.redemption_code ?? '')
    const free = await person.checkout('Free')
    expect(free).toMatchObject({ status: 'Paid', payment_method_data: null })
  })
})

describe('convert_to_draft', () => {
  const convert = (person: Buyer) => person.post('/api/cart/convert_to_draft')

  it('convert_to_draft is refused on a Draft, and without a cart', async () => {
    const person = await buyer(shop)
    expect((await convert(person)).json()['code']).toBe('not_pending')
    const cart = await person.add(newId())
    const answer = await convert(person)
    expect([answer.status, answer.json()['code']]).toEqual([422, 'not_pending'])
    expect(await person.cart()).toMatchObject({ id: cart.id, status: 'Draft' })
  })

  it('works once for concurrent requests', async () => {
    const person = await buyer(shop)
    await person.pending()
    const answers = await Promise.all(Array.from({ length: 5 }, () => convert(person)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 422, 422, 422, 422])
    expect(await person.cart()).toMatchObject({ status: 'Draft' })
  })
})
