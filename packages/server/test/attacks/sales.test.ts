import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { disputeSteps } from '../support/disputes.ts'
import { newId } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { sharedShop } from '../support/shared-service.ts'
import { type Buyer, buyer, type Order } from '../support/shop.ts'

type Sale = Partial<Order> & { id: string; client_fee_in_cents: number }
type Page = {
  data: Sale[]
  paging: { total: number }
  sums: Record<'paid_orders' | 'total_in_cents' | 'client_fee_in_cents', number>
}

const shop = await sharedShop()
let admin: Person
let controller: Person
let anna: Buyer
let partner: string
let other: string
let paidOrder: Order[] = []
let pending: Order
const members = (organization: string) => `/api/admin/organizations/${organization}/members`
const join = async (organization: string, role: string) => {
  const person = await newcomer(shop)
  await admin.put(`${members(organization)}/${person.id}`, { role })
  return person
}
const createPartner = async (client_fee_percent: number) =>
  (await admin.post('/api/admin/organizations', { name: 'Crabs', client_fee_percent })).json<{
    id: string
  }>().id
const put = async (person: Buyer, organization_id: string) => {
  const items = [{ emoji_id: newId() }]
  const tracking_data = { mail: person.email }
  return (await person.post('/api/cart', { items, organization_id, tracking_data })).json<Order>()
}
const takeCash = async (order: Order, amount: number) =>
  (
    await admin.post(`/api/cart/checkout/${order.id}`, {
      method: 'Cash',
      amount,
      external_reference: randomUUID(),
    })
  ).json<Order>()
const sales = (person: Pick<Person, 'get'>, query = '', organization = partner) =>
  person.get(`/api/orders?organization_id=${organization}${query}`)
const pageOf = async (person: Pick<Person, 'get'>, query = '') =>
  (await sales(person, query)).json<Page>()
const idsOf = ({ data }: Page) => data.map(({ id }) => id)

beforeAll(async () => {
  admin = await registerAs(shop, 'Admin')
  anna = await buyer(shop)
  partner = await createPartner(20)
  other = await createPartner(50)
  controller = await join(partner, 'OrgController')
  const sell = async () => {
    const cart = await put(anna, partner)
    return takeCash(cart, cart.total_in_cents)
  }
  paidOrder = [await sell(), await sell()]
  // A code reduces the fee proportionally.
  const code = redemptionCode({ discount_as_percentage: 10 })
  await makeCode(admin, code)
  await put(anna, partner)
  await anna.checkout('CardCheckout')
  const reducedOrder = await anna.promo(code.redemption_code)
  await shop.pay(reducedOrder)
  paidOrder.push(await anna.until(reducedOrder.id, 'Paid'))
  const otherOrder = await put(anna, other)
  await takeCash(otherOrder, otherOrder.total_in_cents)
  await put(anna, partner)
  pending = await anna.checkout('CardCheckout')
  await put(await buyer(shop), partner)
})

describe('the sales of a partner', () => {
  it('list the orders of its flow with sums and fees, for its power roles', async () => {
    const owner = await join(partner, 'OrgOwner')
    const page = await pageOf(controller)
    expect(idsOf(page)).toEqual(paidOrder.toReversed().map(({ id }) => id))
    expect(idsOf(await pageOf(owner))).toEqual(idsOf(page))
    const fees = page.data.map((sale) => sale.client_fee_in_cents)
    const fee = paidOrder[0]?.order_items[0]?.client_fee_in_cents ?? 0
    expect(fees).toEqual([Math.floor(fee * 0.9), fee, fee])
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
    expect(page.sums).toMatchObject({
      paid_orders: 3,
      client_fee_in_cents: sum(fees),
      total_in_cents: sum(paidOrder.map(({ total_in_cents }) => total_in_cents)),
    })
    expect((await pageOf(admin)).sums).toEqual(page.sums)
    const second = await pageOf(controller, '&limit=2&page=1&sort=created_at&dir=Asc')
    expect(idsOf(second)).toEqual([paidOrder[2]?.id])
    expect(second.sums).toEqual(page.sums)
    // A viewer of pending orders could wait for the ids to become available again.
    for (const status of ['PendingPayment', 'Draft', 'Cancelled']) {
      expect((await pageOf(controller, `&status=${status}`)).data).toEqual([])
    }
    expect((await sales(controller)).body).not.toContain(pending.order_items[0]?.emoji_id)
    expect(idsOf(await pageOf(admin))).toContain(pending.id)
    expect((await pageOf(controller, '&to=2001-01-01')).sums.paid_orders).toBe(0)
  })

  it('earn nothing from released ids', async () => {
    const seller = await createPartner(20)
    const owner = await join(seller, 'OrgOwner')
    const bert = await buyer(shop)
    const sell = async () => {
      const cart = await put(bert, seller)
      return takeCash(cart, cart.total_in_cents)
    }
    const [first] = [await sell(), await sell()]
    const [item] = first.order_items
    const readSales = async () => (await sales(owner, '', seller)).json<Page>()
    const before = (await readSales()).sums.client_fee_in_cents
    const body = { item_ids: [item?.id], reason: 'Asked for' }
    const refundAnswer = await admin.post(`/api/orders/${first.id}/refund`, body)
    expect([refundAnswer.status, refundAnswer.body.slice(0, 200)]).toMatchObject([200, {}])
    const page = await readSales()
    expect(page.data.find(({ id }) => id === first.id)?.client_fee_in_cents).toBe(0)
    expect(page.sums.client_fee_in_cents).toBe(before - (item?.client_fee_in_cents ?? 0))
  })

  it('earn nothing from refunded money, even if the ids stay', async () => {
    const seller = await createPartner(100)
    const owner = await join(seller, 'OrgOwner')
    const readSales = async () => (await sales(owner, '', seller)).json<Page>()
    const feesOf = async () => {
      const { data, sums } = await readSales()
      const fees = data.map((sale) => sale.client_fee_in_cents)
      expect(sums.client_fee_in_cents).toBe(fees.reduce((a, b) => a + b, 0))
      return fees
    }
    const bert = await buyer(shop)
    const cart = await put(bert, seller)
    await takeCash(cart, cart.total_in_cents)
    const half = cart.total_in_cents / 2
    expect(await feesOf()).toEqual([half])
    const giveBack = async (amount_in_cents: number) => {
      const body = { amount_in_cents, reason: 'A gift' }
      expect((await admin.post(`/api/orders/${cart.id}/misc_refund`, body)).status).toBe(200)
    }
    await giveBack(half)
    expect(await feesOf()).toEqual([half / 2])
    await giveBack(half)
    expect(await feesOf()).toEqual([0])

    const disputes = disputeSteps(shop)
    const items = [{ emoji_id: newId() }]
    const { order, session } = await disputes.boughtAtPage(bert, items, seller)
    expect(await feesOf()).toEqual([order.total_in_cents / 2, 0])
    await disputes.close(await disputes.open(session), 'lost')
    await disputes.waitForStatus(order, 'lost')
    expect(await feesOf()).toEqual([0, 0])
    const [lostSale] = (await readSales()).data
    expect(lostSale?.disputed_total_in_cents).toBe(order.total_in_cents)
  })

  it('reveal nothing about the buyers (T60)', async () => {
    const answer = await sales(controller)
    for (const secret of [anna.email, anna.id, 'payment_method', 'client_secret', 'tracking']) {
      expect([secret, answer.body.includes(secret)]).toEqual([secret, false])
    }
    const [sale] = answer.json<Page>().data as [Sale]
    expect(Object.keys(sale).toSorted()).toEqual([
      'client_fee_in_cents',
      'created_at',
      'disputed_total_in_cents',
      'id',
      'order_items',
      'order_number',
      'organization_id',
      'paid_at',
      'refunded_total_in_cents',
      'status',
      'total_in_cents',
      'updated_at',
    ])
    expect((await controller.get(`/api/orders/${sale.id}`)).status).toBe(404)
    for (const order of paidOrder) expect(answer.body).toContain(order.order_items[0]?.emoji_id)
  })

  it('the sales of a partner cannot be searched by data of a buyer', async () => {
    const stranger = await buyer(shop)
    for (const q of [anna.email, anna.email.slice(0, 8), '@', anna.id, stranger.email, '%', '_']) {
      const page = await pageOf(controller, `&q=${encodeURIComponent(q)}`)
      expect([q, page.paging.total, page.sums.paid_orders]).toEqual([q, 0, 0])
    }
    const [, soldOrder] = paidOrder as [Order, Order]
    const number = await pageOf(controller, `&q=${soldOrder.order_number.toUpperCase()}`)
    expect(idsOf(number)).toEqual([soldOrder.id])
    expect(idsOf(await pageOf(controller, `&q=${soldOrder.id}`))).toEqual([soldOrder.id])
    expect(idsOf(await pageOf(controller, `&q=${pending.id}`))).toEqual([])
    for (const filter of [
      'refund_requested=true',
      'refund_requested=false',
      'refund_request=open',
      'refund_request=handled',
    ]) {
      expect([filter, (await sales(controller, `&${filter}`)).status]).toEqual([filter, 403])
    }
    for (const { id } of [anna, stranger, controller]) {
      expect((await sales(controller, `&user_id=${id}`)).status).toBe(400)
    }
  })

  it('the sales of a partner are hidden from all others (T54)', async () => {
    const member = await join(partner, 'OrgMember')
    const removedPerson = await join(partner, 'OrgController')
    expect((await sales(removedPerson)).status).toBe(200)
    await admin.delete(`${members(partner)}/${removedPerson.id}`)
    // An organization keeps its last owner.
    await join(partner, 'OrgOwner')
    const demotedPerson = await join(partner, 'OrgOwner')
    await admin.put(`${members(partner)}/${demotedPerson.id}`, { role: 'OrgMember' })
    for (const person of [
      member,
      removedPerson,
      demotedPerson,
      anna,
      await join(other, 'OrgOwner'),
    ]) {
      const refusal = await sales(person)
      expect([refusal.status, refusal.json()['code']]).toEqual([403, 'insufficient_scope'])
    }
    expect((await sales(controller, '', other)).status).toBe(403)
    expect((await sales(controller, '', randomUUID())).status).toBe(404)
    expect((await sales(admin, '', randomUUID())).status).toBe(404)
    for (const id of ['', "'", `${partner}&organization_id=${other}`]) {
      expect((await sales(controller, '', id)).status).toBe(400)
    }
    const keyOf = async (person: Person, scopes: string[]) => {
      const keyResponse = await person.post('/api/api_keys', { name: 'Sales', scopes })
      const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
      return { get: (path: string) => shop.get(path, { headers }) }
    }
    expect((await sales(await keyOf(controller, ['order:readSelf']))).status).toBe(403)
    expect((await sales(await keyOf(controller, []))).status).toBe(403)
    const weak = ['order:readSelf', 'organizationCode:admin', 'organizationEmoji:list']
    expect((await sales(await keyOf(admin, weak))).status).toBe(403)
    expect((await sales(await keyOf(admin, ['order:read']))).status).toBe(200)
    expect((await sales(shop)).status).toBe(401)
  })
})
