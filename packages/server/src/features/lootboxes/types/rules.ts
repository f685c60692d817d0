import { type BoxConfig, type Draw, oddsOf, randomFitting, type ScoreRange } from '@emojid/core'
import { inField, refusal } from '../../../platform/errors.ts'
import type { LootboxTypeView } from './schema.ts'
import type { LootboxType } from './table.ts'

export function assertSound(config: BoxConfig): void {
  const { size, min_length, max_length, guarantees } = config
  if (min_length > max_length) throw configError('range', 'min_length is above max_length.')
  for (const { min_score, max_score } of rangesOf(config)) {
    if (min_score > max_score) {
      throw configError('range', `A score from ${min_score} to ${max_score} is none.`)
    }
  }
  if (guarantees.reduce((sum, { count }) => sum + count, 0) > size) {
    throw configError('size', 'More ids are guaranteed than the box has.')
  }
}

/** Every range of scores that ids are drawn for. */
export const rangesOf = (config: BoxConfig): ScoreRange[] => [
  { min_score: config.min_base_score, max_score: config.max_base_score },
  ...config.guarantees,
  ...config.weights,
]

/** Boxes that could never be filled are not promised to anybody. */
export function assertFindable(
  { min_length, max_length }: BoxConfig,
  { min_score, max_score }: ScoreRange,
  draw: Draw,
): void {
  if (randomFitting({ min_length, max_length, min_score, max_score }, draw)) return
  const ids = `${min_length} to ${max_length} emojis and a score from ${min_score} to ${max_score}`
  throw configError('nothing_fits', `No ids with ${ids} were found.`)
}

export const showType = (type: LootboxType): LootboxTypeView => {
  const { guarantees, weights, ...config } = type.config
  return {
    ...type,
    config: { ...config, guarantees: [...guarantees], weights: [...weights] },
    odds: oddsOf(type.config),
  }
}

/** No box can be drawn by these terms. */
const configError = (code: string, message: string) =>
  refusal('refused', 'invalid_config', message, inField('config', code, message))

export const unknownType = () =>
  refusal('not_found', 'unknown_lootbox_type', 'There is no such lootbox type.')
