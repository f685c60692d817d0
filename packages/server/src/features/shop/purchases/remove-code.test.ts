import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CodeView, makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { newId } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { type Buyer, buyer, type Order } from '../../../../test/support/shop.ts'

const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
const shop = await sharedShop()
let admin: Person
beforeAll(async () => {
  admin = await registerAs(shop, 'Admin')
})
const newCode = (terms: object = {}) => makeCode(admin, redemptionCode(terms))
const textOf = ({ redemption_code }: CodeView) => redemption_code ?? ''
const remove = (person: Pick<Buyer, 'delete'>, id: string) =>
  person.delete(`/api/cart/promo_code/${id}`)

describe('a code on an order', () => {
  it('shows its discount, and its removal restores the price immediately', async () => {
    const person = await buyer(shop)
    const code = await newCode({ max_uses: 1 })
    await person.add(newId())
    const before = await person.checkout('CardCheckout', urls)
    expect(before.applied_codes).toEqual([])
    const reducedOrder = await person.promo(textOf(code).toLowerCase())
    const discount_in_cents = before.total_in_cents - reducedOrder.total_in_cents
    expect(reducedOrder.applied_codes).toEqual([
      { code_id: code.id, name: code.redemption_code, discount_in_cents },
    ])
    const removalAnswer = await remove(person, code.id)
    const order = removalAnswer.json<Order>()
    expect([removalAnswer.status, order.total_in_cents]).toEqual([200, before.total_in_cents])
    expect([order.applied_codes, order.status]).toEqual([[], 'PendingPayment'])
    // The provider charges the whole price, and the one use of the code is available again.
    expect(order.payment_method_data?.session_id).not.toBe(
      reducedOrder.payment_method_data?.session_id,
    )
    const second = await buyer(shop)
    await second.add(newId())
    await second.checkout('CardCheckout', urls)
    expect((await second.promo(textOf(code))).applied_codes).toHaveLength(1)
    const session = `/checkout/sessions/${order.payment_method_data?.session_id}`
    expect(await shop.cards(session)).toMatchObject({ amount_total: before.total_in_cents })
  })

  it('leaves the discounts of the other codes when it is removed', async () => {
    const person = await buyer(shop)
    const [big, small] = [
      await newCode({ discount_as_percentage: 50, combinable: true }),
      await newCode({ discount_as_percentage: 10, combinable: true }),
    ]
    await person.add(newId())
    const { total_in_cents: whole } = await person.checkout('CardCheckout', urls)
    await person.promo(textOf(big))
    expect((await person.promo(textOf(small))).total_in_cents).toBe(whole * 0.5 * 0.9)
    const remainingOrder = (await remove(person, big.id)).json<Order>()
    expect([
      remainingOrder.total_in_cents,
      remainingOrder.applied_codes?.map(({ code_id }) => code_id),
    ]).toEqual([whole * 0.9, [small.id]])
  })

  it('is removed once, from the own order, while nothing was paid', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const code = await newCode()
    expect((await remove(person, code.id)).status).toBe(422)
    await person.pending('CryptoCommerce')
    await other.pending()
    const reducedOrder = await person.promo(textOf(code))
    for (const id of [code.id, randomUUID()]) expect((await remove(other, id)).status).toBe(404)
    expect((await remove(person, 'x')).status).toBe(400)
    await shop.pay(reducedOrder, { percent: 50 })
    await expect.poll(async () => (await person.cart()).payment_under_way).toBe(true)
    const late = await remove(person, code.id)
    expect([late.status, late.json()['code']]).toEqual([422, 'pending_payment'])
    expect((await person.cart()).total_in_cents).toBe(reducedOrder.total_in_cents)
  })

  it('is either removed or paid with by concurrent requests, never paid for too little', async () => {
    const person = await buyer(shop)
    const code = await newCode()
    await person.add(newId())
    const whole = await person.checkout('CardCheckout', urls)
    const reducedOrder = await person.promo(textOf(code))
    const answers = await Promise.all([
      remove(person, code.id),
      remove(person, code.id),
      shop.pay(reducedOrder).catch(() => undefined),
    ])
    expect(answers.filter((answer) => answer?.status === 200).length).toBeLessThanOrEqual(1)
    await shop.settle()
    await shop.run('payments.reconcile')
    const order = await person.order(whole.id)
    const receivedCents = (await shop.ledgerOf(whole.id)).reduce(
      (sum, e) => sum + e.amount_in_cents,
      0,
    )
    const isRemoved = answers.some((answer) => answer?.status === 200)
    expect(order.total_in_cents).toBe(
      isRemoved ? whole.total_in_cents : reducedOrder.total_in_cents,
    )
    expect(order.status === 'Paid').toBe(receivedCents >= order.total_in_cents)
  })

  it('leaves no payment at its price once it is removed, even during a checkout', async () => {
    const person = await buyer(shop)
    const code = await newCode()
    await person.add(newId())
    const whole = await person.checkout('CardCheckout', urls)
    await person.promo(textOf(code))
    const [removalAnswer] = await Promise.all([
      remove(person, code.id),
      person.post('/api/cart/checkout', { method: 'CryptoCommerce' }),
    ])
    await shop.settle()
    const order = await person.checkout('CryptoCommerce')
    const isRemoved = removalAnswer.status === 200
    expect(order.total_in_cents < whole.total_in_cents).toBe(!isRemoved)
    const invoice = order.payment_method_data?.invoice_id
    const openInvoice = await shop.coins<{ amount: string }>(`/stores/store/invoices/${invoice}`)
    expect(Math.round(Number(openInvoice.amount) * 100)).toBe(order.total_in_cents)
  })
})
