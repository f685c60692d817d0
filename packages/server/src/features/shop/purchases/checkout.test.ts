import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { grant, newId } from '../../../../test/support/ids.ts'
import { type Person, press, register, registerAs } from '../../../../test/support/people.ts'
import { keyPair } from '../../../../test/support/schnorr.ts'
import { enableApp } from '../../../../test/support/second-factor.ts'
import {
  type Buyer,
  buyer,
  type Order,
  payWithCash,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'

const urls = {
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/',
}
let shop: ShopService
let admin: Person
beforeAll(async () => {
  shop = await shopService({ FREE_CEILING_CENTS: '0', CHECKOUT_2FA_CENTS: '30000' })
  admin = await registerAs(shop, 'Admin')
})
afterAll(() => shop.close())
const code = async (terms: object = {}) =>
  (await makeCode(admin, redemptionCode({ discount_as_percentage: 100, ...terms })))
    .redemption_code as string
const ownerOf = (id: string) =>
  shop.db
    .selectFrom('emoji_ids')
    .innerJoin('keys', 'keys.pubkey', 'emoji_ids.pubkey')
    .select(['keys.user_id', 'emoji_ids.pubkey', 'generation'])
    .where('emoji_id', '=', id)
    .executeTakeFirst()

describe('a checkout', () => {
  it('holds the ids at their price for five minutes; with both URLs it leads to the provider’s page', async () => {
    stopTheClock()
    const person = await buyer(shop)
    const [id] = [newId()]
    const cart = await person.add(id)
    const order = await person.checkout('CardCheckout', urls)
    expect(order).toMatchObject({ id: cart.id, status: 'PendingPayment' })
    expect(order.total_in_cents).toBe(cart.total_in_cents)
    expect(order.seconds_until_expiry).toBeGreaterThan(290)
    const search = await shop.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    const { result } = search.json<{ result: object }>()
    expect(result).toMatchObject({ available: false, availability: 'InCart', price: 0 })

    const { payment_method_data: data } = order
    expect(data).toMatchObject({ method: 'CardCheckout', ...urls, payment_intent_id: '' })
    expect(data?.session_id).toMatch(/^cs_/)
    expect(data?.checkout_url).toMatch(/^http/)
  })

  it('describes the order at the provider, and locks the cart until it is a draft again', async () => {
    const person = await buyer(shop)
    const ids = Array.from({ length: 6 }, () => newId())
    const order = await person.pending('CardCheckout', ids)
    const path = `/payment_intents/${order.payment_method_data?.payment_intent_id}`
    const { description } = await shop.cards<{ description: string }>(path)
    const names = order.order_items.map(({ emoji_id }) => emoji_id)
    expect(description).toBe(
      `Order ${order.order_number}: ${names.slice(0, 5).join(', ')} and 1 more`,
    )
    const [item] = order.order_items
    const answers = [
      await person.post('/api/cart', { items: [{ emoji_id: newId() }] }),
      await person.delete(`/api/cart/cart_items/${item?.id}`),
    ]
    expect(answers.map((answer) => [answer.status, answer.json()['code']])).toEqual([
      [422, 'cart_locked'],
      [422, 'cart_locked'],
    ])
    const draft = (await person.post('/api/cart/convert_to_draft')).json<Order>()
    expect(draft).toMatchObject({ id: order.id, status: 'Draft', expires_at: null })
    expect((await person.add(newId())).order_items).toHaveLength(7)
  })

  it.each(['WalletPay', 'CryptoCommerce'])(
    'a checkout by %s returns payment details; once paid, the buyer owns the ids',
    async (method) => {
      const person = await buyer(shop)
      const id = newId()
      await person.add(id)
      const order = await person.checkout(method)
      const { payment_method_data: data } = order
      if (method === 'CryptoCommerce') {
        expect(data).toMatchObject({ method, client_secret: '', payment_intent_id: '' })
        expect(data?.methods[0]).toMatchObject({ currency: 'BTC', amount: expect.any(Number) })
      } else {
        expect(data).toMatchObject({ method: 'CardCheckout', session_id: null })
        expect(data?.payment_intent_id).toMatch(/^pi_/)
        expect(data?.client_secret).toContain(data?.payment_intent_id)
      }
      await shop.pay(order)
      const paidOrder = await person.until(order.id, 'Paid')
      expect(paidOrder).toMatchObject({ remaining_due_in_cents: 0 })
      expect(paidOrder.payment_method_data).toMatchObject({
        method: data?.method,
        client_secret: '',
      })
      expect(paidOrder.paid_at).not.toBeNull()
      expect(await ownerOf(id)).toMatchObject({ user_id: person.id })
      const mail = await shop.mailTo(person.email)
      expect(mail?.subject).toContain(order.order_number)
      expect(mail?.text).toContain((order.total_in_cents / 100).toFixed(2))
    },
  )

  it('a checkout to a key that is only listed is refused until the key is proven', async () => {
    const [person, key, id] = [await buyer(shop), keyPair(), newId()]
    expect((await person.post(`/api/pubkeys/${key.pubkey}`)).status).toBe(200)
    await person.add(id)
    const body = { method: 'CardCheckout', pubkey: key.pubkey }
    const refusal = await person.post('/api/cart/checkout', body)
    expect([refusal.status, refusal.json()]).toMatchObject([
      422,
      { code: 'unproven_key', fields: { pubkey: [{ code: 'unproven' }] } },
    ])
    expect(refusal.json()['error']).toContain('POST /pubkeys/{pubkey}/prove')
    const claim = `The key ${key.pubkey} belongs to the account ${person.id}.`
    const proof = key.sign('emojid/pubkey-proof/v1', claim)
    expect((await person.post(`/api/pubkeys/${key.pubkey}/prove`, proof)).status).toBe(200)
    const order = await person.checkout('CardCheckout', { pubkey: key.pubkey })
    await shop.pay(order)
    await person.until(order.id, 'Paid')
    expect((await ownerOf(id))?.pubkey).toBe(key.pubkey)
  })

  it('binds the ids to the key that the buyer names, if it is theirs (T88)', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const key = (await person.post('/api/pubkeys')).json<string>()
    const [foreign] = (await other.get('/api/pubkeys')).json<string[]>()
    const id = newId()
    await person.add(id)
    const refusal = await person.post('/api/cart/checkout', {
      method: 'CardCheckout',
      pubkey: foreign,
    })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'foreign_key'])
    const order = await person.checkout('CardCheckout', { pubkey: key })
    const cash = { method: 'Cash', amount: order.total_in_cents, external_reference: order.id }
    expect((await admin.post(`/api/cart/checkout/${order.id}`, cash)).status).toBe(200)
    expect((await ownerOf(id))?.pubkey).toBe(key)
  })

  it('needs a confirmed email address (T91)', async () => {
    const person = await register(shop)
    await person.post('/api/cart', { items: [{ emoji_id: newId() }] })
    const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unconfirmed_email'])
    expect((await person.get('/api/cart')).json<Order>().status).toBe('Draft')
    await press(shop, await shop.linkTo(person.email))
    const acceptanceAnswer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([acceptanceAnswer.status, acceptanceAnswer.json<Order>().status]).toEqual([
      200,
      'PendingPayment',
    ])
  })

  it('works for accounts without an email address', async () => {
    const alternate_id = `w-${newId()}-${Date.now()}`
    const person = await register(shop, { email: undefined, alternate_id, source: 'wallet' })
    await person.post('/api/cart', { items: [{ emoji_id: newId() }] })
    expect((await person.post('/api/cart/checkout', { method: 'CardCheckout' })).status).toBe(200)
  })

  it('a checkout of an empty cart is refused', async () => {
    const person = await buyer(shop)
    const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([answer.status, answer.json()['code']]).toEqual([422, 'empty_cart'])
  })

  it('repeated with the same method is the same; another method replaces the first, and an empty cart ends it', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    expect(await person.checkout('CardCheckout')).toMatchObject({
      id: order.id,
      payment_method_data: order.payment_method_data,
      expires_at: order.expires_at,
    })
    const other = await person.checkout('CryptoCommerce')
    expect(other).toMatchObject({ id: order.id, expires_at: order.expires_at })
    expect(other.payment_method_data).toMatchObject({ method: 'CryptoCommerce' })
    const clearedOrder = (await person.delete('/api/cart')).json<Order>()
    expect(clearedOrder).toMatchObject({ status: 'Draft', order_items: [] })
  })

  it('names ids that were bought meanwhile, and marks them', async () => {
    const person = await buyer(shop)
    const [free, gone] = [newId(), newId()]
    await person.add(free, gone)
    await grant(admin, { user_id: admin.id }, gone)
    const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'taken', fields: { eid: [{ code: 'taken' }] } })
    expect(answer.body).toContain(gone)
    const cart = (await person.get('/api/cart')).json<Order>()
    expect(cart.status).toBe('Draft')
    expect(cart.order_items.map((item) => item.marked_invalid_at_reason)).toEqual([null, 'Taken'])
    await person.delete(`/api/cart/cart_items/${cart.order_items[1]?.id}`)
    expect((await person.checkout('CardCheckout')).status).toBe('PendingPayment')
  })

  it('reports a raised price, and accepts a lower one', async () => {
    const person = await buyer(shop)
    const cart = await person.add(newId())
    const change = async (factor: number) => {
      const [table] = (await admin.get('/api/admin/prices')).json<{ prices: (number | null)[] }[]>()
      const prices = (table?.prices ?? []).map((price) => price && Math.round(price * factor))
      await admin.post('/api/admin/prices', { prices, reason: 'a test' })
    }
    await change(2)
    const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([answer.status, answer.json()['code']]).toEqual([422, 'price_changed'])
    const dearer = (await person.get('/api/cart')).json<Order>()
    expect(dearer.total_in_cents).toBe(2 * cart.total_in_cents)
    await change(0.5)
    const order = await person.checkout('CardCheckout')
    expect(order.total_in_cents).toBe(cart.total_in_cents)
  })
})

describe('a free checkout', () => {
  it('a free checkout is refused while an amount is due, regardless of the request, and so is cash of buyers (T88)', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const cash = { method: 'Cash', amount: 100_000, external_reference: 'till 1' }
    expect((await person.post('/api/cart/checkout', cash)).status).toBe(403)
    const forged = { method: 'Free', amount: 1, total_in_cents: 0, external_reference: 'x' }
    const answer = await person.post('/api/cart/checkout', forged)
    expect([answer.status, answer.json()['code']]).toEqual([422, 'missing_payment'])
    expect((await person.get('/api/cart')).json<Order>().status).toBe('Draft')
  })

  it('grants ids that a code pays for, which are held no longer than others', async () => {
    const person = await buyer(shop)
    const id = newId()
    await person.add(id)
    await person.checkout('CardCheckout')
    const discountedOrder = await person.promo(await code())
    expect(discountedOrder).toMatchObject({ remaining_due_in_cents: 0, total_in_cents: 0 })
    await shop.settle()
    expect((await person.cart()).seconds_until_expiry).toBeLessThanOrEqual(300)
    const [item, discount] = discountedOrder.order_items
    expect(discount).toMatchObject({ item_type: 'Discount', parent_id: item?.id })
    expect(discount?.unit_price_in_cents).toBe(-(item?.unit_price_in_cents ?? 0))
    const paidOrder = await person.checkout('Free')
    expect(paidOrder.status).toBe('Paid')
    expect(await ownerOf(id)).toMatchObject({ user_id: person.id })
  })
})

describe('an expensive checkout', () => {
  it('needs a fresh second factor, which an API key cannot provide', async () => {
    const person = await buyer(shop)
    await person.post('/api/cart', { items: [{ emoji_id: '🌵🌮🌵' }, { emoji_id: '🌮🌵🌮' }] })
    const { total_in_cents } = (await person.get('/api/cart')).json<Order>()
    expect(total_in_cents).toBeGreaterThan(30_000)
    await enableApp(shop, person)
    const key = await person.post('/api/api_keys', { name: 'till', scopes: ['cart:update'] })
    const { api_key } = key.json<{ api_key: string }>()
    const body = { method: 'CardCheckout' }
    const byKey = await shop.post('/api/cart/checkout', body, { headers: { 'x-api-key': api_key } })
    expect(byKey.status).toBe(403)
    const noteFactorAt = (second_factor_at: Date) =>
      shop.db
        .updateTable('sessions')
        .set({ second_factor_at })
        .where('user_id', '=', person.id)
        .execute()
    await noteFactorAt(new Date(0))
    expect((await person.post('/api/cart/checkout', body)).status).toBe(424)
    expect(await person.cart()).toMatchObject({ status: 'Draft' })
    await noteFactorAt(shop.clock.now())
    expect((await person.post('/api/cart/checkout', body)).status).toBe(200)
  })

  it('above the card maximum is refused, and holds nothing', async () => {
    const person = await buyer(shop)
    const [table] = (await admin.get('/api/admin/prices')).json<{ prices: (number | null)[] }[]>()
    const dear = (table?.prices ?? []).map((price) => price && 100_000_000)
    await admin.post('/api/admin/prices', { prices: dear, reason: 'a test' })
    await person.add(...Array.from({ length: 2 }, () => newId()))
    const answers = [
      await person.post('/api/cart/checkout', { method: 'CardCheckout' }),
      await person.post('/api/cart/checkout', { method: 'CryptoCommerce' }),
    ]
    await admin.post('/api/admin/prices', { prices: table?.prices, reason: 'after a test' })
    expect(answers.map(({ status }) => status)).toEqual([422, 200])
    expect(answers[0]?.json()['code']).toBe('unpayable_amount')
  })
})

describe('cash', () => {
  it('pays for a cart once it is enough, each payment once', async () => {
    const person = await buyer(shop)
    const { id, total_in_cents } = await person.add(newId())
    const give = (amount: number, external_reference: string) =>
      admin.post(`/api/cart/checkout/${id}`, { method: 'Cash', amount, external_reference })
    const reference = `till ${id}`
    const part = (await give(total_in_cents - 1, reference)).json<Order>()
    expect(part).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 1 })
    const secondAnswer = await give(total_in_cents - 1, reference)
    expect([secondAnswer.status, secondAnswer.json()['code']]).toEqual([422, 'uniqueness'])
    const paidOrder = (await give(3, `${reference} b`)).json<Order>()
    expect(paidOrder).toMatchObject({ status: 'Paid', amount_overpaid_in_cents: 2 })
  })

  it('cash is never far above the amount due, and is audited with its reason', async () => {
    const person = await buyer(shop)
    const { id, total_in_cents } = await person.add(newId())
    const external_reference = `till ${id}`
    const reason = 'Paid at the fair'
    const give = (person: Pick<Buyer, 'post'>, order: string, amount: number) =>
      person.post(`/api/cart/checkout/${order}`, {
        method: 'Cash',
        amount,
        external_reference,
        reason,
      })
    const excessAnswer = await give(admin, id, 1_000_000_000)
    expect([excessAnswer.status, excessAnswer.json()['code']]).toEqual([422, 'too_much_cash'])
    expect(await person.order(id)).toMatchObject({ status: 'Draft' })

    expect((await give(admin, id, total_in_cents)).json<Order>().status).toBe('Paid')
    const page = await admin.get('/api/admin/audit?event=order.cash_taken&limit=1')
    expect(page.json<{ data: object[] }>().data).toMatchObject([
      { details: { order_id: id, external_reference, reason } },
    ])
    expect((await shop.ledgerOf(id)).map(({ reference }) => reference)).toContain(
      external_reference,
    )
  })

  it('needs a fresh code for any amount', async () => {
    const person = await buyer(shop)
    const { id, total_in_cents: amount } = await person.add(newId())
    const careful = await registerAs(shop, 'Admin')
    await enableApp(shop, careful)
    await shop.db
      .updateTable('sessions')
      .set({ second_factor_at: new Date(0) })
      .where('user_id', '=', careful.id)
      .execute()
    const cash = { method: 'Cash', amount, external_reference: `till ${id}` }
    expect((await careful.post(`/api/cart/checkout/${id}`, cash)).status).toBe(424)
    expect((await person.order(id)).status).toBe('Draft')
  })
})

describe('fees', () => {
  it('fees of a partner are set by operators only', async () => {
    const body = { name: 'Crabs', client_fee_percent: 10 }
    const organization = await admin.post('/api/admin/organizations', body)
    const { id: organization_id } = organization.json<{ id: string }>()
    const owner = await buyer(shop)
    const path = `/api/admin/organizations/${organization_id}`
    await admin.put(`${path}/members/${owner.id}`, { role: 'OrgOwner' })
    expect((await owner.patch(path, { client_fee_percent: 50 })).status).toBe(403)
    expect((await owner.patch(path, { name: 'Lobsters' })).json()).toMatchObject({
      client_fee_percent: 10,
    })
  })

  const partner = async (client_fee_percent: number) => {
    const organization = await admin.post('/api/admin/organizations', {
      name: 'Crabs',
      client_fee_percent,
    })
    return organization.json<{ id: string }>().id
  }
  const put = (person: Buyer, organization_id?: string) =>
    person.post('/api/cart', { items: [{ emoji_id: newId() }], organization_id })
  const setFee = (id: string, client_fee_percent: number) =>
    admin.patch(`/api/admin/organizations/${id}`, { client_fee_percent })
  const pricesOf = (order: Order) =>
    order.order_items.reduce((sum, item) => sum + item.unit_price_in_cents, 0)

  it('fees of a partner apply to orders in its flow, at the rate when the order is priced', async () => {
    const organization_id = await partner(10)
    const person = await buyer(shop)
    const cart = (await put(person, organization_id)).json<Order>()
    const price = pricesOf(cart)
    const tenth = Math.floor(price / 10)
    expect(cart).toMatchObject({ organization_id, total_in_cents: price + tenth })
    await setFee(organization_id, 5)
    const pending = await person.checkout('CardCheckout')
    const fee = Math.floor(price / 20)
    expect(pending).toMatchObject({ organization_id, total_in_cents: price + fee })
    await setFee(organization_id, 50)
    expect(await payWithCash(admin, pending)).toMatchObject({
      status: 'Paid',
      organization_id,
      total_in_cents: price + fee,
      amount_overpaid_in_cents: 0,
      order_items: [{ client_fee_in_cents: fee }],
    })
  })

  it('that rose since the cart was filled are reported like a raised price', async () => {
    const organization_id = await partner(10)
    const person = await buyer(shop)
    const cart = (await put(person, organization_id)).json<Order>()
    await setFee(organization_id, 20)
    const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'price_changed'])
    const order = await person.checkout('CardCheckout')
    expect(order.total_in_cents).toBe(pricesOf(cart) + Math.floor(pricesOf(cart) / 5))
  })

  it('stay those of the first partner until the cart is empty, also after an abandoned checkout, and do not apply to earlier items', async () => {
    const [first, second] = [await partner(10), await partner(50)]
    const person = await buyer(shop)
    const before = (await put(person)).json<Order>()
    expect(before).toMatchObject({ organization_id: null, total_in_cents: pricesOf(before) })
    const feeOf = ({ order_items }: Order) =>
      order_items.map((item) => item.client_fee_in_cents / item.unit_price_in_cents)
    const filledOrder = (await put(person, first)).json<Order>()
    expect(filledOrder.organization_id).toBe(first)
    expect(feeOf(filledOrder)).toEqual([0, 0.1])
    const more = (await put(person, second)).json<Order>()
    expect(more.organization_id).toBe(first)
    expect(feeOf(more)).toEqual([0, 0.1, 0.1])
    expect(feeOf(await person.checkout('CardCheckout'))).toEqual([0, 0.1, 0.1])
    const draft = (await person.post('/api/cart/convert_to_draft')).json<Order>()
    expect(draft).toMatchObject({ organization_id: first, total_in_cents: more.total_in_cents })
    await person.delete('/api/cart')
    expect((await put(person)).json<Order>()).toMatchObject({ organization_id: null })
  })

  it('need an existing partner', async () => {
    const person = await buyer(shop)
    const refusal = await put(person, person.id)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'not_a_partner'])
    expect((await person.cart()).order_items).toEqual([])
  })

  it('fees are not added by a partner’s code, which lowers the total and the crypto invoice', async () => {
    const body = { name: 'Crabs', client_fee_percent: 20 }
    const organization = await admin.post('/api/admin/organizations', body)
    const { id: organization_id } = organization.json<{ id: string }>()
    const tenth = await code({ discount_as_percentage: 10, organization_id })
    const person = await buyer(shop)
    const { id, total_in_cents } = await person.pending('CryptoCommerce')
    const order = await person.promo(tenth)
    const cheaper = total_in_cents - Math.floor(total_in_cents / 10)
    expect(order).toMatchObject({ id, organization_id: null, total_in_cents: cheaper })
    expect(order.order_items[0]).toMatchObject({ client_fee_in_cents: 0 })
    const amounts = await shop.db
      .selectFrom('payment_attempts')
      .select('amount_in_cents')
      .where('order_id', '=', id)
      .where('status', '=', 'open')
      .execute()
    expect(amounts).toEqual([{ amount_in_cents: cheaper }])
  })
})

describe('a code', () => {
  it('applies to carts in checkout, and counts once (T92)', async () => {
    const person = await buyer(shop)
    const half = await code({ discount_as_percentage: 50 })
    await person.add(newId())
    const earlyAnswer = await person.post('/api/cart/promo_code', { code: half })
    expect([earlyAnswer.status, earlyAnswer.json()['code']]).toEqual([422, 'not_pending'])
    const order = await person.checkout('CardCheckout')
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => person.post('/api/cart/promo_code', { code: half })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const cart = (await person.get('/api/cart')).json<Order>()
    expect(cart.total_in_cents).toBe(order.total_in_cents - Math.floor(order.total_in_cents / 2))
  })

  it.each([
    ['an intent', {}],
    ['a session', urls],
    ['an invoice', { method: 'CryptoCommerce' }],
  ])('changes the amount of %s, without extending the hold', async (_name, more) => {
    const person = await buyer(shop)
    await person.add(newId())
    const order = await person.checkout('CardCheckout', more)
    const cheaper = await person.promo(await code({ discount_as_percentage: 50 }))
    expect(cheaper.expires_at).toBe(order.expires_at)
    const { session_id, payment_intent_id, invoice_id } = cheaper.payment_method_data ?? {}
    const amount = cheaper.remaining_due_in_cents
    expect(amount).toBe(order.remaining_due_in_cents / 2)
    if (invoice_id) {
      const invoice = await shop.coins<{ amount: string }>(`/stores/store/invoices/${invoice_id}`)
      expect(Math.round(Number(invoice.amount) * 100)).toBe(amount)
    } else if (session_id) {
      const session = await shop.cards(`/checkout/sessions/${session_id}`)
      expect(session).toMatchObject({ amount_total: amount })
    } else {
      expect(await shop.cards(`/payment_intents/${payment_intent_id}`)).toMatchObject({ amount })
    }
  })

  it('a code without a remaining discount is refused', async () => {
    const person = await buyer(shop)
    await person.pending()
    await person.promo(await code({ combinable: true }))
    const more = await person.post('/api/cart/promo_code', {
      code: await code({ combinable: true }),
    })
    expect([more.status, more.json()['code']]).toEqual([422, 'nothing_to_take_off'])
    expect((await person.checkout('Free')).status).toBe('Paid')
  })

  it('that does not exist gets the same error as an expired one', async () => {
    const person = await buyer(shop)
    await person.pending()
    const over = await code({ end_date: new Date(Date.now() - 1_000).toISOString() })
    const answers = await Promise.all(
      ['NOSUCH', over].map((text) => person.post('/api/cart/promo_code', { code: text })),
    )
    const outcomes = answers.map((answer) => [
      answer.status,
      answer.json()['code'],
      answer.json()['error'],
    ])
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[0]?.slice(0, 2)).toEqual([422, 'invalid_code'])
  })
})
