import {
  detailsOf,
  type EmojiId,
  emojiAlphabet,
  emojiDetails,
  emojisOf,
  flippableEmoji,
  isReleased,
  MAX_EMOJIS,
  type PriceTable,
  parseEmojiId,
  popularity,
  priceOf,
  priceOfScore,
  rhythmScore,
  type ShapeName,
  shapeMatch,
  shortNames,
  spokenName,
} from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'
import type { IdStatus } from '../emoji-ids/emoji-ids.ts'
import type { Metric } from '../stats/stats.ts'
import type { Availability, Item } from './routes.ts'

/** The price of an id, and whether it is available now. */
export type Offer = { availability: Availability; price: number | null }

/** Whether the id is sold at all, owned or not. */
export const isForSale = (id: EmojiId, prices: PriceTable): boolean =>
  isReleased(id) && priceOf(id, prices) !== null

export const isAvailable = ({ owned, isReserved, isHeld }: IdStatus): boolean =>
  !owned && !isReserved && !isHeld

export function availabilityOf(
  id: EmojiId,
  { owned, isReserved, isHeld }: IdStatus,
  price: number | null,
): Availability {
  if (owned || isReserved) return 'Taken'
  if (!isReleased(id)) return 'ComingSoon'
  if (price === null) return 'NoPrice'
  return isHeld ? 'InCart' : 'Available'
}

export function itemOf(id: EmojiId, status: IdStatus, prices: PriceTable, metric: Metric): Item {
  const score = rhythmScore(id)
  const price = priceOfScore(score, prices)
  const availability = availabilityOf(id, status, price)
  const shape = shapeMatch(id)
  const { owned } = status
  // One literal: spreading smaller objects takes most of the time of a search.
  return {
    emoji_id: id,
    available: availability === 'Available',
    availability,
    price: status.isReserved && !owned ? null : availability === 'Available' ? (price ?? 0) : 0,
    length: emojisOf(id).length,
    rhythm_score: score,
    shape,
    short_names: shortNames(id),
    flippable_emoji: flippableEmoji(id),
    minted: owned?.minted ?? false,
    generation: owned?.generation ?? null,
    origin: owned?.origin ?? null,
    stats: [metric],
    copy: describeScore(id, score, shape.shape),
  }
}

/** Explains the score of an id. */
function describeScore(id: EmojiId, score: number, shape: ShapeName | null) {
  const emojis = emojisOf(id)
  const average = emojis.reduce((sum, emoji) => sum + popularity(emoji), 0) / emojis.length
  return {
    description: `${spokenName(id)}: a rhythm score of ${score} of 100.`,
    features: [
      emojis.length === 1
        ? 'A single emoji: the shortest there is.'
        : `${emojis.length} emojis: ${emojis.length <= 3 ? 'short ids score higher' : 'longer ids score lower'}.`,
      shape ? `It has a shape: ${shape}.` : 'It has no shape, such as a repetition or bookends.',
      `Its emojis are ${describePopularity(average)}.`,
    ],
  }
}

/** A third of the alphabet each. */
const describePopularity = (average: number): string =>
  average >= 36 ? 'popular ones' : average >= 18 ? 'neither rare nor very popular' : 'rare ones'

const alternatesAtMost = 60

/** Similar ids, nearest first, in a stable order. */
export function neighboursOf(id: EmojiId): EmojiId[] {
  const emojis = emojisOf(id)
  const [first = ''] = emojis
  const last = emojis.at(-1) ?? ''
  const related = emojis.map(relatedTo)
  const swaps = emojis.flatMap((_, at) =>
    (related[at] ?? []).slice(0, 8).map((other) => emojis.with(at, other)),
  )
  const shapes = [
    emojis.length > 1 ? Array<string>(emojis.length).fill(first) : [first, first],
    [...emojis, last],
    [...emojis, first],
    [...emojis.slice(0, -1), first],
    [...emojis, ...emojis],
  ]
  const longer = (related.at(-1) ?? []).slice(0, 8).map((other) => [...emojis, other])
  const all = [...interleave(swaps, emojis.length), ...shapes, ...longer]
    .filter(({ length }) => length >= 1 && length <= MAX_EMOJIS)
    .map((parts) => parseEmojiId(parts.join('')))
  return [...new Set(all)].filter((other) => other !== id).slice(0, alternatesAtMost)
}

/** Takes the first part of each place, then the second of each, and so on. */
function interleave<Part>(parts: readonly Part[], places: number): Part[] {
  const each = Math.ceil(parts.length / Math.max(1, places))
  return Array.from({ length: each }, (_, nth) =>
    Array.from({ length: places }, (_unused, place) => parts[place * each + nth]),
  )
    .flat()
    .filter((part) => part !== undefined)
}

const related = new Map<string, string[]>()

/** Emojis that share most words with this one, then the rest of its group. */
function relatedTo(emoji: string): string[] {
  const relatedWords = related.get(emoji)
  if (relatedWords) return relatedWords
  const own = detailsOf(emoji)
  if (!own) return []
  const words = new Set([...own.keywords, own.slug])
  const scored = emojiDetails()
    .filter((other) => other.emoji !== own.emoji)
    .map((other, at) => {
      const sharedCount = other.keywords.filter((word) => words.has(word)).length
      return {
        emoji: other.emoji,
        at,
        score: sharedCount * 2 + (other.group === own.group ? 1 : 0),
      }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const similar = scored.slice(0, 20).map((other) => other.emoji)
  related.set(emoji, similar)
  return similar
}

/** A random id of three to five emojis. `draw` returns integers below its argument. */
export function randomId(draw: (below: number) => number): EmojiId {
  const length = 3 + draw(3)
  const parts = Array.from({ length }, () => emojiAlphabet[draw(emojiAlphabet.length)])
  return parseEmojiId(parts.join(''))
}

/** Rejects a change that is based on an outdated price table. */
export function assertNewest(version: number, based_on: number | undefined): void {
  if (based_on !== undefined && based_on !== version) throw outdatedPrices(version)
}

const outdatedPrices = (version: number) => {
  const message = `Another operator has changed the prices: version ${version} is current. Load it and try again.`
  return refusal('outdated', 'outdated_prices', message)
}
