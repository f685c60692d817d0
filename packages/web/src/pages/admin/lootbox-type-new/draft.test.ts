import { expect, it } from 'vitest'
import { type Draft, firstDraft, readDraft } from './draft.ts'

const read = (change: Partial<Draft>) => readDraft({ ...firstDraft, ...change })
const range = { key: 1, n: '2', min: '70', max: '80' }

it('the form for a lootbox type converts a draft to the configuration of a type', () => {
  expect(read({ size: '4', guarantees: [range], weights: [{ ...range, n: '12.5' }] })).toEqual({
    size: 4,
    min_length: 3,
    max_length: 5,
    min_base_score: 1,
    max_base_score: 60,
    guarantees: [{ count: 2, min_score: 70, max_score: 80 }],
    weights: [{ ipr: 12.5, min_score: 70, max_score: 80 }],
  })
})

it.each<[Partial<Draft>, string]>([
  [{ size: '' }, 'numbers'],
  [{ weights: [{ ...range, n: ' ' }] }, 'numbers'],
  [{ size: '21' }, 'box'],
  [{ max_length: '7' }, 'length'],
  [{ max_base_score: '101' }, 'range'],
  [{ guarantees: [{ ...range, n: '1.5' }] }, 'count'],
  [{ weights: [{ ...range, n: '0.5' }] }, 'chance'],
  [{ min_length: '6' }, 'length'],
  [{ min_base_score: '61' }, 'range'],
  [{ weights: [{ ...range, min: '81' }] }, 'range'],
  [{ size: '1', guarantees: [range] }, 'size'],
])('the form for a lootbox type rejects %o as unclear: %s', (change, unclear) => {
  expect(read(change)).toBe(unclear)
})
