import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { newcomer, registerAs } from '../support/people.ts'
import { type Buyer, buyer, type Order, shopService } from '../support/shop.ts'

const shop = await shopService({ FREE_CEILING_CENTS: '99', CHECKOUT_2FA_CENTS: '100000000' })
afterAll(() => shop.close())
const admin = await registerAs(shop, 'Admin')
const organizationAnswer = await admin.post('/api/admin/organizations', {
  name: 'Crabs',
  client_fee_percent: 100,
})
const { id: organization_id } = organizationAnswer.json<{ id: string }>()
const owner = await newcomer(shop)
await admin.put(`/api/admin/organizations/${organization_id}/members/${owner.id}`, {
  role: 'OrgOwner',
})

type Terms = { percent: number } | { cents: number }
/** A code in the test's model. */
type KnownCode = {
  id: string
  text: string
  terms: Terms
  isPartners: boolean
  isCombinable: boolean
  isOver: boolean
}
const membersOf = (terms: Terms) =>
  'percent' in terms
    ? { discount_as_percentage: terms.percent }
    : { discount_in_cents: terms.cents }

async function newCode(
  terms: Terms,
  by: 'operator' | 'partner',
  more: object = {},
): Promise<KnownCode> {
  const author = by === 'operator' ? admin : owner
  const partner = by === 'operator' ? {} : { organization_id }
  const percent = { discount_as_percentage: undefined }
  const body = redemptionCode({ ...percent, ...membersOf(terms), ...partner, ...more })
  const { id, redemption_code } = await makeCode(author, body)
  const [isPartners, isCombinable, isOver] = [by === 'partner', false, false]
  return { id, text: redemption_code ?? '', terms, isPartners, isCombinable, isOver }
}
const limits = { max_uses: 3, max_emojis_per_user: 2 }
const codes: KnownCode[] = [
  await newCode({ percent: 50 }, 'partner'),
  await newCode({ percent: 20 }, 'partner'),
  await newCode({ percent: 30 }, 'operator'),
  await newCode({ cents: 700 }, 'operator'),
  await newCode({ percent: 90 }, 'operator', limits),
]

const which = fc.nat({ max: codes.length - 1 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('add' as const), inFlow: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('checkout' as const) }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constant('promo' as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), nth: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('draft' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pay' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('fee' as const),
      percent: fc.constantFrom(0, 5, 10, 33, 100),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('price' as const),
      cents: fc.constantFrom(100, 999, 7_500, 38_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('combinable' as const),
      which,
      isCombinable: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('discount' as const),
      which,
      percent: fc.integer({ min: 1, max: 60 }),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let price = 0
async function setPrice(cents: number) {
  const body = { prices: Array(100).fill(cents), reason: 'a test' }
  expect((await admin.post('/api/admin/prices', body)).status).toBe(200)
  price = cents
}

async function setFee(client_fee_percent: number) {
  const body = { client_fee_percent }
  const answer = await admin.patch(`/api/admin/organizations/${organization_id}`, body)
  expect(answer.status).toBe(200)
}

async function setCombinable(index: number, isCombinable: boolean) {
  const code = codes[index] as KnownCode
  const answer = await admin.patch(`/api/admin/codes/${code.id}`, { combinable: isCombinable })
  expect(answer.status).toBe(200)
  code.isCombinable = isCombinable
}

/** The partner's earnings of an order, alone and in the sums. */
async function feeOf({ id }: Order): Promise<number> {
  const answer = await owner.get(`/api/orders?organization_id=${organization_id}&q=${id}`)
  type Fee = { client_fee_in_cents: number }
  const { data, sums } = answer.json<{ data: [Fee]; sums: Fee }>()
  expect(sums.client_fee_in_cents).toBe(data[0].client_fee_in_cents)
  return sums.client_fee_in_cents
}

const fees: number[] = []
const paidOrders: { order: Order; codes: number }[] = []

/** One buyer, and the discounts that operators allowed on the open checkout. */
function shopper(person: Buyer) {
  let priced = 0
  let applied: { terms: Terms; code: KnownCode }[] = []

  /** The minimal payment: operator codes reduce the price, partner codes do not. */
  const leastFor = (order: Order): number => {
    const ids = order.order_items.filter(({ item_type }) => item_type === 'EmojiId')
    let least = ids.length * priced
    for (const { terms, code } of applied) {
      if ('percent' in terms && !code.isPartners) least *= 1 - terms.percent / 100
    }
    for (const { terms } of applied) if ('cents' in terms) least -= terms.cents
    return Math.max(0, least)
  }

  const take: { [Does in Step['does']]: (step: Extract<Step, { does: Does }>) => Promise<void> } = {
    async add({ inFlow }) {
      const items = [{ emoji_id: newId() }]
      await person.post('/api/cart', inFlow ? { items, organization_id } : { items })
    },
    async checkout() {
      if ((await person.cart()).status !== 'Draft') return
      const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
      if (answer.status === 200) [priced, applied] = [price, []]
    },
    async promo({ which }) {
      const code = codes[which] as KnownCode
      const before = await person.cart()
      const answer = await person.post('/api/cart/promo_code', { code: code.text })
      const after = await person.cart()
      if (answer.status !== 200) {
        expect(answer.status).toBe(422)
        expect(after.total_in_cents).toBe(before.total_in_cents)
        return
      }
      expect(code.isOver).toBe(false)
      expect(after.total_in_cents).toBeLessThan(before.total_in_cents)
      applied.push({ terms: code.terms, code })
      if (applied.length > 1) {
        expect(applied.every((one) => one.code.isCombinable)).toBe(true)
        expect(applied.filter((one) => one.code.isPartners).length).toBeLessThanOrEqual(1)
      }
    },
    /** The remaining codes take off their current value. */
    async remove({ nth }) {
      const code = applied[nth % Math.max(1, applied.length)]?.code
      const before = await person.cart()
      if (!code || before.status !== 'PendingPayment') return
      const answer = await person.delete(`/api/cart/promo_code/${code.id}`)
      expect(answer.status).toBe(200)
      applied = applied
        .filter((one) => one.code !== code)
        .map((one) => ({ code: one.code, terms: one.code.terms }))
    },
    /** Carts keep their promised discounts. A new code replaces this one. */
    async delete({ which }) {
      const { id, terms, isPartners } = codes[which] as KnownCode
      if (which === codes.length - 1) return
      const author = isPartners ? owner : admin
      if (isPartners) await setFee(100)
      const createdCode = await newCode(terms, isPartners ? 'partner' : 'operator')
      expect((await author.delete(`/api/admin/codes/${id}`)).status).toBe(200)
      codes[which] = createdCode
      await setCombinable(which, true)
    },
    async end({ which }) {
      const code = codes[which] as KnownCode
      const change = code.isOver ? { clear: ['end_date'] } : { end_date: '2001-01-01T00:00:00Z' }
      const answer = await admin.patch(`/api/admin/codes/${code.id}`, change)
      expect(answer.status).toBe(200)
      code.isOver = !code.isOver
    },
    async draft() {
      await person.post('/api/cart/convert_to_draft')
    },
    async pay() {
      const cart = await person.cart()
      if (cart.status !== 'PendingPayment') return
      const amount = cart.remaining_due_in_cents
      // All ids cost more than the free limit covers, with any codes.
      if (amount > 0) {
        const free = await person.post('/api/cart/checkout', { method: 'Free' })
        expect(free.json()['code']).toBe('missing_payment')
      }
      const external_reference = `till ${cart.id}`
      const answer =
        amount === 0
          ? await person.post('/api/cart/checkout', { method: 'Free' })
          : await admin.post(`/api/cart/checkout/${cart.id}`, {
              method: 'Cash',
              amount,
              external_reference,
            })
      const order = answer.json<Order>()
      expect(order).toMatchObject({ id: cart.id, status: 'Paid', total_in_cents: amount })
      const fee = order.organization_id === null ? 0 : await feeOf(order)
      fees.push(fee)
      expect(amount - fee).toBeGreaterThanOrEqual(Math.floor(leastFor(order)))
      paidOrders.push({ order, codes: applied.length })
    },
    fee: ({ percent }) => setFee(percent),
    price: ({ cents }) => setPrice(cents),
    combinable: ({ which, isCombinable }) => setCombinable(which, isCombinable),
    /** A partner cannot exceed the current fee. */
    async discount({ which, percent }) {
      const code = codes[which] as KnownCode
      const author = code.isPartners ? owner : admin
      const body = { discount_as_percentage: percent }
      const answer = await author.patch(`/api/admin/codes/${code.id}`, body)
      if (answer.status === 200) code.terms = { percent }
    },
  }
  return (step: Step) => (take[step.does] as (step: Step) => Promise<void>)(step)
}

it('no sequence of events pays the service less than operators allowed, and no code raises a total', async () => {
  await setPrice(7_500)
  const run = async (steps: Step[]) => {
    const act = shopper(await buyer(shop))
    await act({ does: 'add', inFlow: steps.length % 2 === 0 })
    await act({ does: 'checkout' })
    for (const step of [...steps, { does: 'pay' as const }]) await act(step)
  }
  for (const at of codes.keys()) await setCombinable(at, true)
  const steps = fc.array(step, { minLength: 6, maxLength: 16, size: 'max' })
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: 5, seed: 23, endOnFailure: true })

  // The sequences reach the cases under test.
  expect(paidOrders.filter((one) => one.codes > 1).length).toBeGreaterThan(1)
  expect(fees.filter((fee) => fee > 0).length).toBeGreaterThan(1)
  const uses = await shop.db.selectFrom('code_uses').selectAll().execute()
  const limited = uses.filter(({ code_id }) => code_id === codes.at(-1)?.id)
  expect(limited.length).toBeLessThanOrEqual(limits.max_uses)
  expect(Math.max(0, ...limited.map(({ emojis }) => emojis))).toBeLessThanOrEqual(2)
})
