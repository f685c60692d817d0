import { describe, expect, it } from 'vitest'
import { changeOf, draftOf, emptyDraft, newCodeOf } from './draft.ts'
import type { Code } from './queries.ts'

const typedDraft = { ...emptyDraft, name: ' Sale ', redemption_code: ' SALE-10 ', percent: '10' }

const code: Code = {
  id: 'c',
  name: 'Sale',
  code_type: 'Discount',
  activator: 'RedemptionCode',
  redemption_code: 'SALE',
  discount_as_percentage: null,
  discount_in_cents: 1_999,
  start_date: null,
  end_date: '2030-05-06T07:08:00.000Z',
  max_uses: 5,
  max_emojis_per_user: null,
  organization_id: null,
  legacy_challenge: false,
  combinable: false,
  limited_to_fee: false,
  pattern: { min_length: 3, emojis: ['🔥', '🐍'] },
  pubkeys: [],
  total_uses: 0,
  available: 5,
  deleted_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

describe('the form of a code', () => {
  it('sends only filled fields', () => {
    expect(newCodeOf(typedDraft)).toEqual({
      name: 'Sale',
      code_type: 'Discount',
      activator: 'RedemptionCode',
      redemption_code: 'SALE-10',
      discount_as_percentage: 10,
      combinable: false,
    })
  })

  it('sends no typed code for random ids', () => {
    const code = newCodeOf({ ...typedDraft, code_type: 'RandomYat' })
    expect(code).toMatchObject({ activator: 'SecretKey', legacy_challenge: false })
    expect(code).not.toHaveProperty('redemption_code')
  })

  it('converts the amount to cents', () => {
    const code = newCodeOf({ ...typedDraft, off: 'cents', dollars: '19.99' })
    expect(code).toMatchObject({ discount_in_cents: 1_999 })
    expect(code).not.toHaveProperty('discount_as_percentage')
  })

  it('splits emojis, and passes invalid ones on', () => {
    const emojisOf = (emojis: string) => newCodeOf({ ...typedDraft, emojis }).pattern?.emojis
    expect(emojisOf('🔥🐍🔥')).toEqual(['🔥', '🐍'])
    expect(emojisOf('🔥 x')).toEqual(['🔥', 'x'])
  })

  it('round-trips a code, and removes emptied limits', () => {
    const roundTrip = changeOf(draftOf(code))
    expect(roundTrip).toMatchObject({
      discount_in_cents: 1_999,
      end_date: code.end_date,
      max_uses: 5,
      pattern: code.pattern,
      clear: ['start_date', 'max_emojis_per_user'],
    })
    const lifted = changeOf({ ...draftOf(code), max_uses: '', min_length: '', emojis: '' })
    expect(lifted.clear).toEqual(['start_date', 'max_uses', 'max_emojis_per_user', 'pattern'])
  })
})
