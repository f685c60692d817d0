import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { enableApp } from '../../../../test/support/second-factor.ts'
import { type Buyer, buyer, type ShopService, shopService } from '../../../../test/support/shop.ts'

type Card = { id: string; brand: string; is_default: boolean }
const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
let shop: ShopService
beforeAll(async () => {
  shop = await shopService({ TWO_FACTOR_GRACE_SECONDS: '60' })
})
afterAll(() => shop.close())

const cardsOf = async (person: Buyer) => (await person.get('/api/payment_methods')).json<Card[]>()
/** Buys an id on the provider's page, and saves the card or not. */
async function buy(person: Buyer, card: string, keep_card = true): Promise<void> {
  await person.add(newId())
  const order = await person.checkout('CardCheckout', urls)
  await shop.pay(order, { card, keep_card })
  await person.until(order.id, 'Paid')
}

describe('a saved card', () => {
  it('exists only if the buyer chose to save it, is shown without its number, and is deleted once', async () => {
    const person = await buyer(shop)
    await buy(person, 'visa', false)
    expect(await cardsOf(person)).toEqual([])
    await buy(person, 'visa')
    expect(await cardsOf(person)).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        payment_type: 'card',
        brand: 'visa',
        country: expect.stringMatching(/^[A-Z]{2}$/),
        last4: expect.stringMatching(/^\d{4}$/),
        exp_month: 12,
        exp_year: expect.any(Number),
        is_default: true,
      },
    ])
    const exported = (await person.get('/api/account/export')).json<{
      saved_cards: Card[]
      incomplete_parts: string[]
    }>()
    const last4 = expect.stringMatching(/^\d{4}$/)
    expect(exported.saved_cards).toEqual([
      { brand: 'visa', last4, exp_month: 12, exp_year: expect.any(Number) },
    ])
    expect(exported.incomplete_parts).toEqual([])

    await shop.closeProviders()
    const answer = await person.get('/api/payment_methods')
    await shop.openProviders()
    expect([answer.status, answer.json()['code']]).toEqual([503, 'unavailable_payment_provider'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)

    // Other names than letters and digits delete nothing.
    const names = ['%20', '..%2f..%2fcustomers', '%00', "'", '%F0%9F%A6%80', '-']
    const long = [100, 101, 255, 256].map((length) => 'x'.repeat(length))
    for (const name of [...names, ...long]) {
      const { status } = await person.delete(`/api/payment_methods/${name}`)
      expect([400, 404]).toContain(status)
    }
    const [card] = await cardsOf(person)
    const path = `/api/payment_methods/${card?.id}`
    const removalAnswer = await person.delete(path)
    expect([removalAnswer.status, removalAnswer.json()]).toEqual([
      200,
      { ...card, is_default: false },
    ])
    expect(await cardsOf(person)).toEqual([])
    expect((await person.delete(path)).status).toBe(404)
  })

  it('is one of several, and is seen, deleted and chosen as default by its owner only (T60), with a fresh code', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    await buy(person, 'visa')
    await buy(person, 'mastercard')
    await buy(other, 'amex')
    const [first, second] = (await cardsOf(person)) as [Card, Card]
    expect([first.brand, second.brand].toSorted()).toEqual(['mastercard', 'visa'])
    expect((await cardsOf(other)).map(({ brand }) => brand)).toEqual(['amex'])
    const path = `/api/payment_methods/${first.id}`
    for (const [foreign, missing] of [
      [await other.delete(path), await other.delete('/api/payment_methods/pm_nobody')],
      [
        await other.post(`${path}/default`),
        await other.post('/api/payment_methods/pm_nobody/default'),
      ],
    ] as const) {
      expect([foreign.status, foreign.json()['error']]).toEqual([404, missing.json()['error']])
    }
    const stranger = await buyer(shop)
    expect((await stranger.delete(path)).status).toBe(404)
    const scopes = ['paymentMethod:read', 'paymentMethod:destroy']
    const response = await person.post('/api/api_keys', { name: 'Till', scopes })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    expect((await shop.post(`${path}/default`, undefined, { headers })).status).toBe(403)
    expect((await shop.post(`${path}/default`)).status).toBe(401)
    const defaults = async () =>
      (await cardsOf(person)).filter(({ is_default }) => is_default).map(({ id }) => id)
    const choose = (id: string) => person.post(`/api/payment_methods/${id}/default`)
    expect(await defaults()).toEqual([])
    expect((await choose(first.id)).json()).toEqual({ ...first, is_default: true })
    await Promise.all([choose(first.id), choose(second.id)])
    expect(await defaults()).toHaveLength(1)
    await choose(first.id)
    await person.delete(`/api/payment_methods/${first.id}`)
    expect(await defaults()).toEqual([second.id])
    await Promise.all([choose(second.id), person.delete(`/api/payment_methods/${second.id}`)])
    expect(await cardsOf(person)).toEqual([])
    expect((await choose(second.id)).status).toBe(404)

    await enableApp(shop, other)
    const [amex] = await cardsOf(other)
    shop.clock.advance(61_000)
    const late = await other.delete(`/api/payment_methods/${amex?.id}`)
    expect([late.status, late.json()['code']]).toEqual([424, 'two_factor_required'])
    expect(await cardsOf(other)).toEqual([amex])
  })

  it('is not shown without a session', async () => {
    expect((await shop.get('/api/payment_methods')).status).toBe(401)
    expect((await shop.delete('/api/payment_methods/pm_1')).status).toBe(401)
  })
})
