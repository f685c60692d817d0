import { describe, expect, it } from 'vitest'
import { makeCode, signedCode } from '../../../../test/support/codes.ts'
import { newId } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import { keyPair } from '../../../../test/support/schnorr.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'
import { buyer, type Order, payWithCash } from '../../../../test/support/shop.ts'

const service = await sharedService()
const admin = await registerAs(service, 'Admin')
const key = keyPair()

const surprise = async (terms: object = {}) => {
  const code = await makeCode(admin, signedCode(terms))
  await admin.post(`/api/codes/${code.id}/pubkeys/${key.pubkey}`)
  return code.id
}
const activation = (person: Pick<Person, 'id'>) => ({
  pubkey: key.pubkey,
  ...key.sign('emojid/code-activation/v1', person.id),
})
const activate = (person: Person, code_id: string, body: object = activation(person)) =>
  person.post(`/api/codes/${code_id}/random_yat`, body)

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
    const body = activation(person)
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

  it('without an available id says so', async () => {
    const person = await buyer(service)
    const code_id = await surprise({ pattern: { min_length: 3, max_length: 3, emojis: ['🦀'] } })
    const first = (await activate(person, code_id)).json<Order>()
    expect(first.order_items[0]?.emoji_id).toBe('🦀🦀🦀')
    const other = await buyer(service)
    const refusal = await activate(other, code_id)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'nothing_left'])
  })
})
