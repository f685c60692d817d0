import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Code } from './repository.ts'
import { discountsOf } from './rules.ts'

const at = new Date(0)
const code = (terms: Partial<Code>): Code => ({
  id: 'code',
  name: 'A code',
  code_type: 'Discount',
  activator: 'RedemptionCode',
  code_hmac: null,
  sealed_code: null,
  discount_as_percentage: null,
  discount_in_cents: null,
  start_date: null,
  end_date: null,
  max_uses: null,
  max_emojis_per_user: null,
  pattern: null,
  organization_id: null,
  legacy_challenge: false,
  combinable: false,
  limited_to_fee: false,
  created_at: at,
  updated_at: at,
  deleted_at: null,
  searchable: 'a code',
  ...terms,
})
const cart = (...prices: number[]) =>
  prices.map((unit_price_in_cents, index) => ({
    id: `item ${index}`,
    emoji_id: '🦀🌊🐙',
    unit_price_in_cents,
    client_fee_in_cents: 0,
  }))
const cents = (terms: Partial<Code>, ...prices: number[]) =>
  discountsOf(code(terms), cart(...prices)).map((discount) => discount.cents)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('a percentage', () => {
  it('is rounded down for each item', () => {
    expect(cents({ discount_as_percentage: 33 }, 100, 101, 199, 200)).toEqual([33, 33, 65, 66])
  })

  it('of 100 takes off everything', () => {
    expect(cents({ discount_as_percentage: 100 }, 400, 99_999_999)).toEqual([400, 99_999_999])
  })

  it('leaves out items without a discount', () => {
    const items = cart(0, 3, 400)
    expect(discountsOf(code({ discount_as_percentage: 25 }), items)).toEqual([
      { item_id: 'item 2', cents: 100 },
    ])
  })
})

describe('an amount', () => {
  it.each([
    [[100], 300, [100]],
    [[500, 300], 400, [250, 150]],
    [[100, 100, 100], 100, [34, 33, 33]],
    [[1, 1, 1], 2, [1, 1]],
    [[0, 400], 100, [100]],
    [[0, 0], 100, []],
    [[100_000_000, 99_999_999], 100_000_000, [50_000_000, 50_000_000]],
  ])('over prices of %j: %i cents are %j', (prices, amount, expected) => {
    expect(cents({ discount_in_cents: amount }, ...prices)).toEqual(expected)
  })

  it('is split to the cent, no share above its price, the same each time', () => {
    const price = fc.integer({ min: 0, max: 100_000_000 })
    const prices = fc.array(price, { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), prices, (amount, all) => {
        const items = cart(...all)
        const discounts = discountsOf(code({ discount_in_cents: amount }), items)
        expect(sum(discounts.map((one) => one.cents))).toBe(Math.min(amount, sum(all)))
        for (const { item_id, cents: share } of discounts) {
          const item = items.find(({ id }) => id === item_id)
          expect(share).toBeGreaterThan(0)
          expect(share).toBeLessThanOrEqual(item?.unit_price_in_cents ?? 0)
        }
        expect(discountsOf(code({ discount_in_cents: amount }), items)).toEqual(discounts)
      }),
    )
  })
})

describe('items that do not match the pattern', () => {
  const items = [
    { id: 'short', emoji_id: '🦀🌊', unit_price_in_cents: 1_000, client_fee_in_cents: 0 },
    { id: 'long', emoji_id: '🦀🌊🐙🦀', unit_price_in_cents: 600, client_fee_in_cents: 0 },
    { id: 'longer', emoji_id: '🦀🌊🐙🦀🌊', unit_price_in_cents: 200, client_fee_in_cents: 0 },
  ]
  const pattern = { min_length: 4 }

  it('get no discount, and the others share the amount', () => {
    expect(discountsOf(code({ discount_in_cents: 400, pattern }), items)).toEqual([
      { item_id: 'long', cents: 300 },
      { item_id: 'longer', cents: 100 },
    ])
    expect(discountsOf(code({ discount_as_percentage: 10, pattern }), items)).toEqual([
      { item_id: 'long', cents: 60 },
      { item_id: 'longer', cents: 20 },
    ])
  })
})

describe('a partner’s code', () => {
  const limited = { discount_as_percentage: 50, limited_to_fee: true }
  const item = (client_fee_in_cents: number) => ({
    id: 'item',
    emoji_id: '🦀🌊🐙',
    unit_price_in_cents: 1_000,
    client_fee_in_cents,
  })

  it.each([
    [0, []],
    [100, [{ item_id: 'item', cents: 100 }]],
    [900, [{ item_id: 'item', cents: 500 }]],
  ])('takes off at most the partner’s fee: with a fee of %i, %j', (fee, discounts) => {
    expect(discountsOf(code(limited), [item(fee)])).toEqual(discounts)
  })
})
