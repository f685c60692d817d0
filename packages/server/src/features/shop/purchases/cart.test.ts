import { describe, expect, it } from 'vitest'
import { grant, newId } from '../../../../test/support/ids.ts'
import { registerAs } from '../../../../test/support/people.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'
import { buyer, type Order } from '../../../../test/support/shop.ts'

const service = await sharedService()
const admin = await registerAs(service, 'Admin')
const itemsOf = ({ order_items }: Order) => order_items.map(({ emoji_id }) => emoji_id)

describe('a cart', () => {
  it('is created empty by the first request', async () => {
    const person = await buyer(service)
    const cart = (await person.get('/api/cart')).json<Order>()
    expect(cart).toMatchObject({ status: 'Draft', order_items: [], total_in_cents: 0 })
    expect(cart.order_number).toBe(cart.id.slice(-8))
    expect((await person.get('/api/cart')).json<Order>().id).toBe(cart.id)
  })

  it('is created once by concurrent requests', async () => {
    const person = await buyer(service)
    const answers = await Promise.all(Array.from({ length: 20 }, () => person.get('/api/cart')))
    expect(new Set(answers.map((answer) => answer.json<Order>().id)).size).toBe(1)
  })

  it('takes ids at the catalog price, and adds them up', async () => {
    const person = await buyer(service)
    const [first, second] = [newId(), newId()]
    const search = await person.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(first)}`)
    const { result } = search.json<{ result: { price: number; rhythm_score: number } }>()
    const cart = await person.add(first, second)
    expect(cart.order_items[0]).toMatchObject({
      item_type: 'EmojiId',
      quantity: 1,
      unit_price_in_cents: result.price,
      rhythm_score: result.rhythm_score,
      marked_invalid_at: null,
    })
    const sum = cart.order_items.reduce((total, item) => total + item.unit_price_in_cents, 0)
    expect(cart).toMatchObject({ total_in_cents: sum, remaining_due_in_cents: sum })
  })

  it('ignores prices, quantities and totals that the client sends (T88)', async () => {
    const person = await buyer(service)
    const item = { emoji_id: newId(), quantity: -1, unit_price_in_cents: 0, total_in_cents: -5 }
    const answer = await person.post('/api/cart', { items: [item], total_in_cents: 0 })
    const cart = answer.json<Order>()
    expect(cart.order_items[0]).toMatchObject({ quantity: 1 })
    expect(cart.total_in_cents).toBeGreaterThan(0)
  })

  it.each([
    ['❤️🔥🐍', '❤🔥🐍'],
    ['👋🌴🌴', '👋🏽🌴🌴'],
  ])('has an id once in every spelling: %s and %s (T100)', async (one, other) => {
    const person = await buyer(service)
    await person.add(one)
    const answer = await person.post('/api/cart', { items: [{ emoji_id: other }] })
    expect(answer.status).toBe(422)
    expect(answer.json<{ fields: { eid: { code: string }[] } }>().fields.eid[0]?.code).toBe(
      'eligibility',
    )
    const both = await buyer(service)
    const items = [{ emoji_id: one }, { emoji_id: other }]
    expect((await both.post('/api/cart', { items })).status).toBe(422)
    expect(itemsOf((await both.get('/api/cart')).json<Order>())).toEqual([])
  })

  it('rejects an invalid id without losing the others (T100, T109)', async () => {
    const person = await buyer(service)
    await person.add(newId())
    const texts = ['', 'abc', '🦀‍🦀', '🦀🦀🦀🦀🦀🦀🦀', '🇩', "' OR 1=1--", '\u202e🦀']
    for (const text of texts) {
      const answer = await person.post('/api/cart', { items: [{ emoji_id: text }] })
      expect([text, answer.status]).toEqual([text, 400])
      expect(itemsOf((await person.get('/api/cart')).json<Order>())).toHaveLength(1)
    }
  })

  it('keeps an owned id, marked as invalid', async () => {
    const person = await buyer(service)
    const takenId = await grant(admin, { user_id: admin.id })
    const { order_items } = await person.add(takenId)
    expect(order_items[0]).toMatchObject({ marked_invalid_at_reason: 'Taken' })
  })

  it('keeps an id that another buyer is paying for, marked as invalid', async () => {
    const [first, second] = [await buyer(service), await buyer(service)]
    const id = newId()
    await first.add(id)
    await hold(first.id, id)
    const { order_items } = await second.add(id)
    expect(order_items[0]).toMatchObject({ marked_invalid_at_reason: 'PendingPurchase' })
  })

  it('removes single ids, and all of them', async () => {
    const person = await buyer(service)
    const cart = await person.add(newId(), newId(), newId())
    const [item] = cart.order_items
    const bareAnswer = await person.delete(`/api/cart/cart_items/${item?.id}`)
    expect(bareAnswer.json<Order>().order_items).toHaveLength(2)
    expect((await person.delete(`/api/cart/cart_items/${item?.id}`)).status).toBe(404)
    const clearedOrder = (await person.delete('/api/cart')).json<Order>()
    expect(clearedOrder).toMatchObject({ id: cart.id, order_items: [], total_in_cents: 0 })
  })

  it('can be emptied before it exists', async () => {
    const person = await buyer(service)
    const answer = await person.delete('/api/cart')
    expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
  })

  it('can’t be changed by another user', async () => {
    const [person, other] = [await buyer(service), await buyer(service)]
    const { order_items, id } = await person.add(newId())
    expect((await other.delete(`/api/cart/cart_items/${order_items[0]?.id}`)).status).toBe(404)
    expect((await other.get(`/api/orders/${id}`)).status).toBe(404)
    expect((await other.post(`/api/cart/checkout/${id}`, { method: 'Free' })).status).toBe(404)
  })

  it('takes a hundred ids, and bounds tracking data', async () => {
    const person = await buyer(service)
    const many = Array.from({ length: 101 }, () => ({ emoji_id: newId() }))
    expect((await person.post('/api/cart', { items: many })).status).toBe(400)
    const items = [{ emoji_id: newId() }]
    const tracking_data = { text: 'x'.repeat(20_000) }
    expect((await person.post('/api/cart', { items, tracking_data })).status).toBe(422)
    const odd = { 'a\u0000b': ['\ud800'] }
    expect((await person.post('/api/cart', { items, tracking_data: odd })).status).toBe(400)
    const plain = { campaign: 'spring', nested: [1, null, { deep: true }] }
    expect((await person.post('/api/cart', { items, tracking_data: plain })).status).toBe(200)
    const cart = (await person.get('/api/cart')).json<Order>()
    expect(cart).not.toHaveProperty('tracking_data')
    const seenOrder = (await admin.get(`/api/orders/${cart.id}`)).json<Order>()
    expect(seenOrder.tracking_data).toEqual(plain)
  })
})

/** Holds an id like a checkout. */
async function hold(user_id: string, emoji_id: string) {
  const expires_at = new Date(service.clock.now().getTime() + 60_000)
  const order_id = '00000000-0000-4000-8000-000000000000'
  await service.db.insertInto('holds').values({ user_id, emoji_id, order_id, expires_at }).execute()
}
