import { describe, expect, it } from 'vitest'
import { makeCode, signedCode } from '../../../../test/support/codes.ts'
import { grant, newId } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import { keyPair, signActivation } from '../../../../test/support/schnorr.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { buyer, type Order, payWithCash } from '../../../../test/support/shop.ts'

const service = await sharedShop()
const admin = await registerAs(service, 'Admin')
const key = keyPair()

const surprise = async (terms: object = {}) => {
  const code = await makeCode(admin, signedCode(terms))
  await admin.post(`/api/codes/${code.id}/pubkeys/${key.pubkey}`)
  return code.id
}
const activation = (person: Pick<Person, 'id'>, code_id: string) =>
  signActivation(key, person.id, code_id)
const activate = (person: Person, code_id: string, body: object = activation(person, code_id)) =>
  person.post(`/api/codes/${code_id}/random_yat`, body)

const refusalOf = async (answer: ReturnType<typeof activate>) => {
  const { status, json } = await answer
  return [status, json()['code']]
}
const drawnId = async (answer: ReturnType<typeof activate>) =>
  (await answer).json<Order>().order_items[0]?.emoji_id ?? ''

describe('the id that a code draws for a buyer', () => {
  const draw = async () => {
    const person = await buyer(service)
    const code_id = await surprise({ max_emojis_per_user: 2 })
    const id = await drawnId(activate(person, code_id))
    return { person, code_id, id, drawAgain: () => activate(person, code_id) }
  }

  it('cannot be avoided by a hold of a second account', async () => {
    const { person, id, drawAgain } = await draw()
    await person.delete('/api/cart')
    const second = await buyer(service)
    await second.add(id)
    await second.post('/api/cart/checkout', { method: 'CardCheckout' })
    for (let n = 0; n < 3; n++) expect(await refusalOf(drawAgain())).toEqual([422, 'held_draw'])
    await second.post('/api/cart/convert_to_draft')
    expect(await drawnId(drawAgain())).toBe(id)
  })

  it('cannot be avoided by a hold of the own cart, also at the same time', async () => {
    const { person, id, drawAgain } = await draw()
    const answers = await Promise.all([drawAgain(), drawAgain(), drawAgain()])
    expect(answers.map(({ status, json }) => [status, json()['code']])).toEqual(
      Array(3).fill([422, 'held_draw']),
    )
    expect((await person.get('/api/cart')).json<Order>().order_items[0]?.emoji_id).toBe(id)
  })

  it.each<[string, (person: Awaited<ReturnType<typeof buyer>>) => Promise<unknown>]>([
    ['a cancelled cart', (person) => person.delete('/api/cart')],
    ['a cart in draft again', (person) => person.post('/api/cart/convert_to_draft')],
    [
      'a changed cart',
      async (person) => {
        await person.post('/api/cart/convert_to_draft')
        const { order_items } = await person.cart()
        await person.delete(`/api/cart/cart_items/${order_items[0]?.id}`)
        await person.add(newId())
      },
    ],
    [
      'a removed code',
      async (person) => {
        const { order_items } = await person.cart()
        const code_id = order_items.find((item) => item.code_id)?.code_id
        await person.delete(`/api/cart/promo_code/${code_id}`)
        await person.post('/api/cart/convert_to_draft')
      },
    ],
  ])('stays the same after %s', async (_name, abandon) => {
    const { person, id, drawAgain } = await draw()
    await abandon(person)
    expect(await drawnId(drawAgain())).toBe(id)
  })

  it('changes once the id is owned', async () => {
    const { person, id, drawAgain } = await draw()
    await person.delete('/api/cart')
    await grant(admin, { user_id: admin.id }, id)
    const next = await drawnId(drawAgain())
    expect(next).not.toBe(id)
    await person.delete('/api/cart')
    expect(await drawnId(drawAgain())).toBe(next)
  })
})

describe('a code for random ids', () => {
  it('creates a new current cart with an id that it pays for', async () => {
    const person = await buyer(service)
    const code_id = await surprise({ pattern: { min_length: 4, max_length: 4 } })
    const order = (await activate(person, code_id)).json<Order>()
    expect(order).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 0 })
    const [item, discount] = order.order_items
    expect([...new Intl.Segmenter().segment(String(item?.emoji_id))]).toHaveLength(4)
    expect(discount).toMatchObject({ code_id, parent_id: item?.id })
    expect((await person.get('/api/cart')).json<Order>().id).toBe(order.id)
    const paidOrder = await person.checkout('Free')
    expect(paidOrder).toMatchObject({ id: order.id, status: 'Paid' })
    expect((await person.get('/api/emoji_id')).json()).toEqual([item?.emoji_id])
  })

  it('keeps the former cart, which can be checked out by its id', async () => {
    const person = await buyer(service)
    const id = newId()
    const cart = await person.add(id)
    await activate(person, await surprise())
    const savedOrder = (await person.get(`/api/orders/${cart.id}`)).json<Order>()
    expect(savedOrder).toMatchObject({
      status: 'Draft',
      order_items: [{ emoji_id: expect.anything() }],
    })
    expect(await payWithCash(admin, cart)).toMatchObject({ id: cart.id, status: 'Paid' })
  })

  it('replaces an empty cart', async () => {
    const person = await buyer(service)
    const empty = (await person.get('/api/cart')).json<Order>()
    const order = (await activate(person, await surprise())).json<Order>()
    expect(order.id).toBe(empty.id)
  })

  it('is used no more often than its limit, by concurrent requests (T87)', async () => {
    const code_id = await surprise({ max_uses: 1 })
    const people: Awaited<ReturnType<typeof buyer>>[] = []
    while (people.length < 6) people.push(await buyer(service))
    const answers = await Promise.all(people.map((person) => activate(person, code_id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status > 422).map(({ body }) => body)).toEqual([])
  })

  it('rejects a replayed signature, and the signature of another user', async () => {
    const [person, other] = [await buyer(service), await buyer(service)]
    const code_id = await surprise()
    const body = activation(person, code_id)
    expect((await activate(other, code_id, body)).status).toBe(422)
    expect((await activate(person, code_id, body)).status).toBe(200)
    expect((await activate(person, code_id, body)).status).toBe(422)
  })

  it('draws the same id again for a buyer who abandons it', async () => {
    const person = await buyer(service)
    const code_id = await surprise()
    const drawnCodes = new Set<unknown>()
    for (let n = 0; n < 2; n++) {
      const order = (await activate(person, code_id)).json<Order>()
      drawnCodes.add(order.order_items[0]?.emoji_id)
      await person.delete('/api/cart')
    }
    expect(drawnCodes.size).toBe(1)
  })

  it('says whether no id is left, or the last one is in a checkout', async () => {
    const person = await buyer(service)
    const code_id = await surprise({ pattern: { min_length: 3, max_length: 3, emojis: ['🦀'] } })
    const first = (await activate(person, code_id)).json<Order>()
    expect(first.order_items[0]?.emoji_id).toBe('🦀🦀🦀')
    const other = await buyer(service)
    expect(await refusalOf(activate(other, code_id))).toEqual([422, 'held_draw'])
    await person.checkout('Free')
    expect(await refusalOf(activate(other, code_id))).toEqual([422, 'nothing_left'])
  })
})
