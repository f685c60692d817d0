import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { newId } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { buyer, payWithCash, type ShopService } from '../../../../test/support/shop.ts'

let shop: ShopService
let admin: Person
beforeAll(async () => {
  shop = await sharedShop()
  admin = await registerAs(shop, 'Admin')
})

/** An order that waits for its payment, with a code. */
async function pendingWith(code: string, id: string) {
  const anna = await buyer(shop)
  await anna.pending('CardCheckout', [id])
  return { anna, order: await anna.promo(code) }
}
/** The same, paid in cash. */
async function paidWith(code: string, id: string) {
  const { anna, order } = await pendingWith(code, id)
  expect(await payWithCash(admin, order)).toMatchObject({ status: 'Paid' })
  return { anna, order }
}

describe('the books of an order', () => {
  it('show its ledger and its attempts, without payment secrets', async () => {
    const { redemption_code } = await makeCode(admin, redemptionCode())
    const { order, anna } = await pendingWith(redemption_code ?? '', newId())
    await shop.pay(order)
    await anna.until(order.id, 'Paid')
    await admin.post(`/api/orders/${order.id}/misc_refund`, { amount_in_cents: 5, reason: 'Sorry' })
    const answer = await admin.get(`/api/admin/orders/${order.id}/books`)
    expect(answer.json()).toMatchObject({
      entries: [
        { kind: 'payment', amount_in_cents: order.total_in_cents, actor_email: null },
        { kind: 'misc_refund', amount_in_cents: -5, reason: 'Sorry', actor_email: admin.email },
      ],
      attempts: [{ method: 'CardCheckout', status: 'closed' }],
    })
    expect(answer.body).not.toMatch(/secret|sealed|snapshot/)
    expect((await anna.get(`/api/admin/orders/${order.id}/books`)).status).toBe(403)
    expect((await admin.get(`/api/admin/orders/${randomUUID()}/books`)).status).toBe(404)
  })
})

describe('the uses of a code', () => {
  it('list buyers and ids, page by page', async () => {
    const code = await makeCode(admin, redemptionCode({ name: 'Looked for by its name' }))
    const ids = [newId(), newId()]
    const orders = []
    for (const id of ids) orders.push(await paidWith(code.redemption_code ?? '', id))
    const uses = async (query: string) =>
      (await admin.get(`/api/admin/codes/${code.id}/uses?${query}`)).json<{
        data: { order_id: string; email: string; emoji_ids: string[]; counted_at: string | null }[]
        paging: { total: number }
      }>()
    const [newest] = (await uses('limit=1')).data
    const [oldest] = (await uses('limit=1&page=1')).data
    expect([newest?.emoji_ids, oldest?.emoji_ids]).toEqual([[ids[1]], [ids[0]]])
    expect([newest?.email, oldest?.order_id]).toEqual([orders[1]?.anna.email, orders[0]?.order.id])
    expect(newest?.counted_at).not.toBeNull()
    expect((await uses('')).paging.total).toBe(2)
    expect((await admin.get(`/api/admin/codes/${randomUUID()}/uses`)).status).toBe(404)
    for (const q of ['for by its NAME', code.redemption_code ?? '', code.id]) {
      const list = await admin.get(`/api/codes?q=${encodeURIComponent(q)}`)
      expect(list.json<{ data: { id: string }[] }>().data.map(({ id }) => id)).toEqual([code.id])
    }
  })
})
