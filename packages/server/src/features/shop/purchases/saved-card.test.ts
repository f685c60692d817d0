import { describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { type Buyer, buyer, type Order } from '../../../../test/support/shop.ts'

type Card = { id: string }
const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
const shop = await sharedShop()

/** A buyer with a saved card. */
async function cardHolder(card = 'visa') {
  const person = await buyer(shop)
  await person.add(newId())
  const order = await person.checkout('CardCheckout', urls)
  await shop.pay(order, { card, keep_card: true })
  await person.until(order.id, 'Paid')
  const [savedCard] = (await person.get('/api/payment_methods')).json<[Card]>()
  return { ...person, card: savedCard.id }
}
const payBySaved = (person: Buyer, payment_method_id: string, more: object = urls) =>
  person.post('/api/cart/checkout', { method: 'CardCheckout', payment_method_id, ...more })
/** All charges of the card for this cart. */
const chargedFor = async (order_id: string) =>
  (await shop.ledgerOf(order_id)).map(({ kind, amount_in_cents }) => [kind, amount_in_cents])

describe('a saved card', () => {
  it('pays the next purchase immediately, without a page of the provider, and replaces one that was opened before', async () => {
    const person = await cardHolder()
    const id = newId()
    await person.add(id)
    // An API key for carts only cannot charge it.
    const response = await person.post('/api/api_keys', { name: 'Shop', scopes: ['cart:update'] })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    const body = { method: 'CardCheckout', payment_method_id: person.card }
    const refusal = await shop.post('/api/cart/checkout', body, { headers })
    expect([refusal.status, refusal.json()['code']]).toEqual([403, 'insufficient_scope'])
    expect((await person.cart()).status).toBe('Draft')
    const answer = await payBySaved(person, person.card)
    const order = answer.json<Order>()
    expect([answer.status, order.status]).toEqual([200, 'Paid'])
    expect(order.payment_method_data).toMatchObject({ method: 'CardCheckout', client_secret: '' })
    expect(order.payment_method_data?.payment_intent_id).toMatch(/^pi_/)
    expect(await chargedFor(order.id)).toEqual([['payment', order.total_in_cents]])
    expect(await shop.ownerOf(id)).toBe(person.id)

    const openedOrder = await person.pending('CardCheckout')
    const paidOrder = (await payBySaved(person, person.card, {})).json<Order>()
    expect([paidOrder.id, paidOrder.status]).toEqual([openedOrder.id, 'Paid'])
    await shop.settle()
    await expect(shop.pay(openedOrder)).rejects.toThrow('409')
    expect(await chargedFor(paidOrder.id)).toEqual([['payment', paidOrder.total_in_cents]])
  })

  it('that is declined leaves the order unpaid and held, to be paid another way', async () => {
    const person = await cardHolder('visa_declined_later')
    await person.add(newId())
    const declineAnswer = await payBySaved(person, person.card)
    expect([declineAnswer.status, declineAnswer.json()]).toMatchObject([
      422,
      { code: 'card_declined', fields: { payment_method_id: [{ code: 'declined' }] } },
    ])
    const heldOrder = await person.cart()
    expect(heldOrder).toMatchObject({ status: 'PendingPayment', payment_method_data: null })
    expect((await payBySaved(person, person.card)).status).toBe(422)
    expect(await chargedFor(heldOrder.id)).toEqual([])
    await shop.settle()
    await shop.pay(await person.checkout('CardCheckout', urls))
    await person.until(heldOrder.id, 'Paid')
    expect(await chargedFor(heldOrder.id)).toEqual([['payment', heldOrder.total_in_cents]])
  })

  it('that requires authentication leads to the bank, and pays only after approval', async () => {
    const person = await cardHolder('visa_asked_later')
    await person.add(newId())
    const askedOrder = (await payBySaved(person, person.card)).json<Order>()
    const { checkout_url, payment_intent_id } = askedOrder.payment_method_data ?? {}
    expect([askedOrder.status, askedOrder.payment_under_way]).toEqual(['PendingPayment', false])
    expect(checkout_url).toContain(payment_intent_id)
    // A repeat gets the same authentication, and nothing is charged.
    const secondOrder = (await payBySaved(person, person.card)).json<Order>()
    expect(secondOrder.payment_method_data).toEqual(askedOrder.payment_method_data)
    await shop.atProvider(`/intents/${payment_intent_id}/fail`)
    await expect.poll(async () => (await person.cart()).payment_method_data).toBeNull()
    expect((await person.cart()).status).toBe('PendingPayment')
    expect(await chargedFor(askedOrder.id)).toEqual([])

    const second = (await payBySaved(person, person.card)).json<Order>()
    const next = second.payment_method_data
    expect(next?.payment_intent_id).not.toBe(payment_intent_id)
    const page = await fetch(String(next?.checkout_url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'yes' }),
    })
    expect(page.headers.get('location')).toMatch(/^https:\/\/shop\.example\.com\/\?payment_intent=/)
    await person.until(askedOrder.id, 'Paid')
    expect(await chargedFor(askedOrder.id)).toEqual([['payment', askedOrder.total_in_cents]])
  })

  it('of another buyer, or an unknown one, is a 404 and holds nothing (T60)', async () => {
    const [person, holder] = [await buyer(shop), await cardHolder()]
    await person.add(newId())
    for (const id of [holder.card, 'pm_nobody', '../customers', 'pm_card_visa']) {
      const { status } = await payBySaved(person, id)
      expect([id, status]).toEqual([id, 404])
    }
    expect((await payBySaved(person, ' ')).status).toBe(400)
    expect((await payBySaved(person, 'x'.repeat(256))).status).toBe(400)
    expect((await person.cart()).status).toBe('Draft')
    for (const method of ['WalletPay', 'CryptoCommerce', 'Free', 'Cash']) {
      const body = { method, payment_method_id: holder.card }
      const refusal = await person.post('/api/cart/checkout', body)
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'saved_card_method'])
    }
  })

  it('pays once for concurrent checkouts of a cart, and once or not at all if one is abandoned during the charge', async () => {
    const person = await cardHolder()
    await person.add(newId())
    const { id } = await person.cart()
    const answers = await Promise.all([1, 2, 3, 4].map(() => payBySaved(person, person.card)))
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    for (const { status } of answers) expect([200, 422, 503]).toContain(status)
    const paidOrder = await person.until(id, 'Paid')
    await shop.settle()
    expect(await chargedFor(id)).toEqual([['payment', paidOrder.total_in_cents]])

    const earlierOrders = new Set((await person.orders()).map((order) => order.id))
    const next = await person.add(newId())
    await Promise.all([
      payBySaved(person, person.card),
      person.post('/api/cart/convert_to_draft'),
      person.post('/api/cart/convert_to_draft'),
    ])
    await shop.settle()
    const orders = (await person.orders()).filter((order) => !earlierOrders.has(order.id))
    const charged = await Promise.all(orders.map((order) => chargedFor(order.id)))
    const payments = charged.flat().filter(([kind]) => kind === 'payment')
    const isPaid = orders.some(({ status }) => status === 'Paid')
    expect(payments).toHaveLength(isPaid ? 1 : 0)
    expect(orders.map((order) => order.id)).toContain(next.id)
  })

  it('that is deleted concurrently pays or does not, and the order says which', async () => {
    const person = await cardHolder()
    await person.add(newId())
    const { id } = await person.cart()
    const [payingAnswer, deletingAnswer] = await Promise.all([
      payBySaved(person, person.card),
      person.delete(`/api/payment_methods/${person.card}`),
    ])
    expect(deletingAnswer.status).toBe(200)
    expect([200, 404, 422]).toContain(payingAnswer.status)
    await shop.settle()
    const order = await person.order(id)
    const isPaid = payingAnswer.status === 200
    expect(order.status === 'Paid').toBe(isPaid)
    expect(await chargedFor(id)).toEqual(isPaid ? [['payment', order.total_in_cents]] : [])
    expect((await payBySaved(person, person.card)).status).toBe(404)
  })
})
