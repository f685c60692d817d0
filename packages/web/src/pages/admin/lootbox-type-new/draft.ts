import { type BoxConfig, lootboxLimits, MAX_EMOJIS, type ScoreRange } from '@emojid/core'

/** A range as typed; `n` is a count, or the N of “1 in N”. */
export type DraftRange = { key: number; n: string; min: string; max: string }
export type Draft = {
  size: string
  min_length: string
  max_length: string
  min_base_score: string
  max_base_score: string
  guarantees: DraftRange[]
  weights: DraftRange[]
}
export type DraftFault = 'numbers' | 'range' | 'length' | 'size' | 'box' | 'count' | 'chance'

export const firstDraft: Draft = {
  size: '3',
  min_length: '3',
  max_length: '5',
  min_base_score: '1',
  max_base_score: '60',
  guarantees: [],
  weights: [],
}

/** The configuration of a draft, or its first error, by the rules of the service. */
export function readDraft(draft: Draft): BoxConfig | DraftFault {
  const config: BoxConfig = {
    size: whole(draft.size, lootboxLimits.ids),
    min_length: whole(draft.min_length, MAX_EMOJIS),
    max_length: whole(draft.max_length, MAX_EMOJIS),
    min_base_score: whole(draft.min_base_score, 100),
    max_base_score: whole(draft.max_base_score, 100),
    guarantees: draft.guarantees.map((one) => ({
      count: whole(one.n, lootboxLimits.ids),
      ...scoresOf(one),
    })),
    weights: draft.weights.map((one) => ({ ipr: chance(one.n), ...scoresOf(one) })),
  }
  if (typedIn(draft).some((text) => text.trim() === '')) return 'numbers'
  if (Number.isNaN(config.size)) return 'box'
  if (!(config.min_length <= config.max_length)) return 'length'
  const base = { min_score: config.min_base_score, max_score: config.max_base_score }
  const ranges: ScoreRange[] = [base, ...config.guarantees, ...config.weights]
  if (!ranges.every(({ min_score, max_score }) => min_score <= max_score)) return 'range'
  if (config.guarantees.some(({ count }) => Number.isNaN(count))) return 'count'
  if (config.weights.some(({ ipr }) => Number.isNaN(ipr))) return 'chance'
  const guaranteed = config.guarantees.reduce((sum, { count }) => sum + count, 0)
  return guaranteed > config.size ? 'size' : config
}

const scoresOf = ({ min, max }: DraftRange): ScoreRange => ({
  min_score: whole(min, 100),
  max_score: whole(max, 100),
})

const whole = (text: string, most: number): number => {
  const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= 1 && number <= most ? number : Number.NaN
}

const chance = (text: string): number => {
  const number = /^\d{1,10}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= 1 && number <= 1e9 ? number : Number.NaN
}

const typedIn = ({ guarantees, weights, ...rest }: Draft): string[] => [
  ...Object.values(rest),
  ...[...guarantees, ...weights].flatMap(({ n, min, max }) => [n, min, max]),
]
