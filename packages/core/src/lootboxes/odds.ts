import { type Draw, drawRange } from './seeded-draw.ts'

export type ScoreRange = { min_score: number; max_score: number }
/** Every box has `count` ids with these scores. */
type Guarantee = ScoreRange & { count: number }
/** One slot in `ipr` has these scores. */
type Weight = ScoreRange & { ipr: number }

export type BoxConfig = {
  /** The number of ids in a box. */
  size: number
  min_length: number
  max_length: number
  /** The scores of slots that no weight hits. */
  min_base_score: number
  max_base_score: number
  guarantees: readonly Guarantee[]
  weights: readonly Weight[]
}

const baseOf = ({ min_base_score, max_base_score }: BoxConfig): ScoreRange => ({
  min_score: min_base_score,
  max_score: max_base_score,
})

/** Equally rare weights keep their order. */
const rarestFirst = ({ weights }: BoxConfig): Weight[] => weights.toSorted((a, b) => b.ipr - a.ipr)

/** The scores of a slot: the rarest weight is tried first, and the base applies if none hits. */
export function drawScores(config: BoxConfig, draw: Draw): ScoreRange {
  const hit = rarestFirst(config).find(({ ipr }) => draw(drawRange) / drawRange < 1 / ipr)
  return hit ?? baseOf(config)
}

export type Odds = {
  /** Random slots; the others are guaranteed. */
  slots: number
  /**
   * The probability that a random slot has these scores, and the probability that a box has at
   * least one slot that is drawn for them or guaranteed to lie within them.
   */
  ranges: (ScoreRange & { probability: number; at_least_one: number })[]
}

/** The effective odds, since a rarer weight takes from those after it; the base is the last. */
export function oddsOf(config: BoxConfig): Odds {
  const guaranteed = config.guarantees.reduce((sum, { count }) => sum + count, 0)
  const slots = config.size - guaranteed
  let rest = 1
  const ranges = [...rarestFirst(config), { ...baseOf(config), ipr: 1 }].map((range) => {
    const probability = rest / range.ipr
    rest -= probability
    return { min_score: range.min_score, max_score: range.max_score, probability }
  })
  const atLeastOne = (range: ScoreRange): number => {
    if (config.guarantees.some((guarantee) => isWithin(guarantee, range))) return 1
    // Several weights, or one and the base, may have the same scores.
    const same = ranges.filter((other) => isWithin(other, range) && isWithin(range, other))
    const probability = same.reduce((sum, other) => sum + other.probability, 0)
    return 1 - (1 - Math.min(1, probability)) ** slots
  }
  return { slots, ranges: ranges.map((one) => ({ ...one, at_least_one: atLeastOne(one) })) }
}

const isWithin = (inner: ScoreRange, outer: ScoreRange): boolean =>
  inner.min_score >= outer.min_score && inner.max_score <= outer.max_score
