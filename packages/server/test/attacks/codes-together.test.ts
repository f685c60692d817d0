import { describe, expect, it } from 'vitest'
import { type CodeView, makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { sharedShop } from '../support/shared-service.ts'
import { type Buyer, buyer, type Order, payWithCash } from '../support/shop.ts'

const shop = await sharedShop()
const admin = await registerAs(shop, 'Admin')

type Partner = { id: string; owner: Person }

async function newPartner(client_fee_percent: number): Promise<Partner> {
  const organizationResponse = await admin.post('/api/admin/organizations', {
    name: 'Crabs',
    client_fee_percent,
  })
  const { id } = organizationResponse.json<{ id: string }>()
  const owner = await newcomer(shop)
  await admin.put(`/api/admin/organizations/${id}/members/${owner.id}`, { role: 'OrgOwner' })
  return { id, owner }
}
const setFee = async ({ id }: Partner, client_fee_percent: number) => {
  const changeAnswer = await admin.patch(`/api/admin/organizations/${id}`, { client_fee_percent })
  expect(changeAnswer.status).toBe(200)
}
const partnerCode = ({ id, owner }: Partner, percentage: number) =>
  makeCode(owner, redemptionCode({ organization_id: id, discount_as_percentage: percentage }))
const operatorCode = (terms: object) => makeCode(admin, redemptionCode(terms))

/** A checkout of one id, in the flow of a partner if specified. */
async function pendingIn(person: Buyer, partner?: Partner): Promise<Order> {
  const items = [{ emoji_id: newId() }]
  await person.post('/api/cart', partner ? { items, organization_id: partner.id } : { items })
  return person.checkout('CardCheckout')
}
const apply = async (person: Buyer, { redemption_code }: CodeView): Promise<string> => {
  const answer = await person.post('/api/cart/promo_code', { code: redemption_code })
  return answer.status === 200 ? 'applied' : answer.json<{ code: string }>().code
}
const totalOf = async (person: Buyer) => (await person.cart()).total_in_cents
const priceOf = ({ order_items }: Order) => order_items[0]?.unit_price_in_cents ?? 0
const feeOf = ({ order_items }: Order) => order_items[0]?.client_fee_in_cents ?? 0

describe('several codes on one order', () => {
  it('several codes on one order do not add up: of three partner codes the first works, and the price stays whole', async () => {
    const partner = await newPartner(25)
    const person = await buyer(shop)
    const order = await pendingIn(person, partner)
    const outcomes: string[] = []
    for (let n = 0; n < 3; n++) {
      outcomes.push(await apply(person, await partnerCode(partner, 20)))
    }
    expect(outcomes).toEqual(['applied', 'not_combinable', 'not_combinable'])
    const fifth = Math.floor(order.total_in_cents / 5)
    expect(await totalOf(person)).toBe(order.total_in_cents - Math.min(fifth, feeOf(order)))
    expect(await totalOf(person)).toBeGreaterThanOrEqual(priceOf(order))
  })

  it('combine only if all of them are combinable', async () => {
    const [first, second] = [
      await operatorCode({ combinable: true }),
      await operatorCode({ combinable: true }),
    ]
    const single = await operatorCode({})
    const person = await buyer(shop)
    const { total_in_cents } = await pendingIn(person)
    expect(await apply(person, first)).toBe('applied')
    expect(await apply(person, single)).toBe('not_combinable')
    expect(await apply(person, first)).toBe('repeated_code')
    expect(await apply(person, second)).toBe('applied')
    const once = total_in_cents - Math.floor(total_in_cents / 5)
    expect(await totalOf(person)).toBe(once - Math.floor(once / 5))

    const other = await buyer(shop)
    await pendingIn(other)
    expect(await apply(other, single)).toBe('applied')
    expect(await apply(other, first)).toBe('not_combinable')
  })

  it('count as one when applied concurrently', async () => {
    const codes: CodeView[] = []
    while (codes.length < 5) codes.push(await operatorCode({ discount_as_percentage: 50 }))
    const person = await buyer(shop)
    const { total_in_cents } = await pendingIn(person)
    const outcomes = await Promise.all(codes.map((code) => apply(person, code)))
    expect(outcomes.toSorted()).toEqual(['applied', ...Array(4).fill('not_combinable')])
    expect(await totalOf(person)).toBe(total_in_cents - Math.floor(total_in_cents / 2))
  })

  it('include at most one partner code, even if operators made them combinable', async () => {
    const [partner, other] = [await newPartner(50), await newPartner(50)]
    const make = ({ id }: Partner) => operatorCode({ combinable: true, organization_id: id })
    const codes = [await make(partner), await make(partner), await make(other)]
    const general = await operatorCode({ combinable: true })
    const person = await buyer(shop)
    await pendingIn(person)
    const outcomes = []
    for (const code of [...codes, general]) outcomes.push(await apply(person, code))
    expect(outcomes).toEqual(['applied', 'not_combinable', 'not_combinable', 'applied'])
  })

  it('several codes on one order can be made combinable only by operators', async () => {
    const partner = await newPartner(50)
    const body = redemptionCode({ organization_id: partner.id, combinable: true })
    const refusal = await partner.owner.post('/api/admin/codes', body)
    expect([refusal.status, refusal.json()['code']]).toEqual([403, 'not_yours_to_give'])
    const { id } = await partnerCode(partner, 20)
    const path = `/api/admin/codes/${id}`
    expect((await partner.owner.patch(path, { combinable: true })).status).toBe(403)
    expect((await admin.patch(path, { combinable: true })).json()).toMatchObject({
      combinable: true,
      limited_to_fee: true,
    })
    expect((await partner.owner.patch(path, { name: 'Ours' })).json()).toMatchObject({
      name: 'Ours',
      combinable: true,
    })
  })
})

describe('a partner’s code', () => {
  it('a partner’s code takes off at most the fee of the order, whatever the fee was when the code was made', async () => {
    const partner = await newPartner(100)
    const half = await partnerCode(partner, 50)
    const whole = await buyer(shop)
    const order = await pendingIn(whole, partner)
    expect(await apply(whole, half)).toBe('applied')
    expect(await totalOf(whole)).toBe(priceOf(order))

    await setFee(partner, 10)
    const less = await buyer(shop)
    const cheaper = await pendingIn(less, partner)
    expect(await apply(less, half)).toBe('applied')
    expect(await totalOf(less)).toBe(priceOf(cheaper))

    await setFee(partner, 0)
    const none = await buyer(shop)
    const { total_in_cents } = await pendingIn(none, partner)
    expect(await apply(none, half)).toBe('nothing_to_take_off')
    expect(await totalOf(none)).toBe(total_in_cents)
  })

  it('a partner’s code is funded by the partner alone, and an operator’s code by both', async () => {
    const partner = await newPartner(100)
    const own = await partnerCode(partner, 25)
    await admin.patch(`/api/admin/codes/${own.id}`, { combinable: true })
    const general = await operatorCode({ discount_as_percentage: 50, combinable: true })
    const outcomes = []
    for (const codes of [[own], [general, own], [own, general]]) {
      const person = await buyer(shop)
      const order = await pendingIn(person, partner)
      for (const code of codes) expect(await apply(person, code)).toBe('applied')
      const { id, total_in_cents: amount, status } = await payWithCash(admin, await person.cart())
      expect(status).toBe('Paid')
      const sales = await partner.owner.get(`/api/orders?organization_id=${partner.id}&q=${id}`)
      type Fee = { client_fee_in_cents: number }
      const { data, sums } = sales.json<{ data: [Fee]; sums: Fee }>()
      const [{ client_fee_in_cents: fee }] = data
      expect(sums.client_fee_in_cents).toBe(fee)
      outcomes.push([amount / priceOf(order), fee / priceOf(order)])
    }
    // Of 1 for the service and 1 for the partner: the partner funds a quarter of 2, both fund a
    // half.
    expect(outcomes).toEqual([
      [1.5, 0.5],
      [0.75, 0.25],
      [0.75, 0.25],
    ])
  })

  it('a partner’s code takes nothing off where the partner earns nothing', async () => {
    const partner = await newPartner(100)
    const half = await partnerCode(partner, 50)
    const person = await buyer(shop)
    const { total_in_cents } = await pendingIn(person)
    expect(await apply(person, half)).toBe('nothing_to_take_off')
    expect(await totalOf(person)).toBe(total_in_cents)
  })

  it('a partner’s code takes off the service’s part once an operator sets its discount, until the partner changes it', async () => {
    const partner = await newPartner(100)
    const { id } = await partnerCode(partner, 50)
    const path = `/api/admin/codes/${id}`
    const limits = async (by: Person, change: object) =>
      (await by.patch(path, change)).json()['limited_to_fee']
    expect(await limits(admin, { name: 'Renamed', discount_as_percentage: 50 })).toBe(true)
    expect(await limits(admin, { discount_as_percentage: 40 })).toBe(false)
    expect(await limits(partner.owner, { max_uses: 1_000 })).toBe(true)
  })
})
