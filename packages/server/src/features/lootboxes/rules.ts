import {
  type BoxConfig,
  type BoxRecipe,
  contentsHash,
  type Draw,
  type EmojiId,
  emojiAlphabet,
  heldBackEmojis,
  isReleased,
  oddsOf,
  type Rejection,
  randomFitting,
  rhythmScore,
  type ScoreRange,
  seedHash,
  toDisplayFormat,
} from '@emojid/core'
import { inField, refusal, refusalIn, ServiceError } from '../../platform/errors.ts'
import { readEmojiId, type Standing } from '../directory/emoji-ids/index.ts'
import type { DisplayUser } from '../identity/accounts/index.ts'
import type { Principal } from '../operations/access/index.ts'
import type { LootboxChange, LootboxTypeView, LootboxView } from './schema.ts'
import type { Box, LootboxType, Status } from './table.ts'

type Event = 'patch' | 'delete' | 'pay' | 'open' | 'take_back'

/**
 * What a box may become, and by what. Whatever is not written here is refused: by `assertMay`, and
 * where orders pay and take back, by the conditions of these statements in the repository.
 */
const transitions: Record<Status, Partial<Record<Event, readonly (Status | 'gone')[]>>> = {
  Draft: { patch: ['Draft', 'Available', 'Owned', 'Used'], delete: ['gone'] },
  Available: { patch: ['Available', 'Owned', 'Used'], delete: ['gone'], pay: ['Owned'] },
  Owned: { patch: ['Owned', 'Used'], open: ['Used'], take_back: ['Available'] },
  // Opening it again only shows it again.
  Used: { open: ['Used'] },
}

export function assertMay(from: Status, event: Event, to: Status | 'gone'): void {
  if (!transitions[from][event]?.includes(to)) throw state(from, event, to)
}

/** An id with the form in which it is displayed. */
export type Yat = { id: EmojiId; text: string }

/** What a box is made of; one that nobody filled by hand was drawn. */
export type Filling = {
  id: string
  seed: Buffer
  yats: readonly Yat[]
  drawn?: { lootbox_type_id: string; recipe: BoxRecipe; rejected: readonly Rejection[] }
}

/** Different ids of released emojis, as they were typed. */
export function readYats(texts: readonly string[]): Yat[] {
  const yats = texts.map((text) => ({ id: readOneOf(text), text: toDisplayFormat(text) }))
  const isFirst = ({ id }: Yat, at: number) => yats.findIndex((one) => one.id === id) === at
  const twice = yats.filter((yat, at) => !isFirst(yat, at)).map(({ id }) => id)
  if (twice.length > 0) throw refusedIds('eligibility', twice)
  const unreleased = yats.filter(({ id }) => !isReleased(id)).map(({ id }) => id)
  if (unreleased.length > 0) throw refusedIds('coming_soon', unreleased)
  return yats
}

/** Of many, which one is wrong is told with what is. */
function readOneOf(text: string): EmojiId {
  try {
    return readEmojiId(text)
  } catch (error) {
    throw error instanceof ServiceError ? wrongId(text, error) : error
  }
}

export function assertKept({ taken, held }: { taken: EmojiId[]; held: EmojiId[] }): void {
  if (taken.length > 0) throw refusedIds('taken', taken)
  if (held.length > 0) throw refusedIds('pending_purchase', held)
}

/** What a box is filled with. */
export const contentsOf = (yats: readonly Yat[], prices: ReadonlyMap<EmojiId, number | null>) => ({
  yats: yats.map(({ text }) => text),
  prices: yats.map(({ id }) => prices.get(id) ?? 0),
  scores: yats.map(({ id }) => rhythmScore(id)),
})

/** What is published of a box before it is opened. */
export function commitTo({ seed, yats, drawn }: Omit<Filling, 'id'>) {
  const hex = seed.toString('hex')
  const { rejected, recipe } = drawn ?? { rejected: [], recipe: null }
  const emoji_ids = yats.map(({ id }) => id)
  const contents_hash = contentsHash({ seed: hex, emoji_ids, rejected, recipe })
  return { seed_hash: seedHash(hex), contents_hash }
}

/** A user, or an address until somebody has it confirmed. */
export type Owner =
  | { owner_id: string; owner_email: null }
  | { owner_id: null; owner_email: string }
export const nobody = { owner_id: null, owner_email: null }
/** By no order. */
export const unkept = { order_id: null, held_until: null }
export type GivenOwner = Pick<LootboxChange, 'owner_id' | 'owner_email'>

/** Owned and Used have an owner, given now or before; the others take none. */
export function assertOwnerFits(status: Status, given: GivenOwner, hasOwner: boolean): void {
  const { owner_id, owner_email } = given
  if (owner_id !== undefined && owner_email !== undefined) throw twoOwners()
  const isGiven = (owner_id ?? owner_email) !== undefined
  const takesOwner = status === 'Owned' || status === 'Used'
  if (isGiven && !takesOwner) {
    throw unexpectedOwner(fieldOf(given))
  }
  if (takesOwner && !isGiven && !hasOwner) {
    throw missingOwner(status)
  }
}

/** The member that names an owner: the id where there is none. */
export const fieldOf = ({ owner_email }: { owner_email?: string | null }) =>
  owner_email ? 'owner_email' : 'owner_id'

/** What a box is after a change, if the change is allowed. */
export function statusAfter(box: Box, change: LootboxChange, now: Date): Status {
  const to = change.status ?? box.status
  assertMay(box.status, 'patch', to)
  assertNotKept(box, now)
  if (change.yats && (box.status !== 'Draft' || box.recipe)) throw sealed(box)
  assertOwnerFits(to, change, box.status === 'Owned')
  return to
}

/** Why a box was changed, and whom an operator took it from, to give it to another. */
export const noteOf = (
  { status, owner_id }: Box,
  owner: object | undefined,
  { reason }: LootboxChange,
) => ({ ...(status === 'Owned' && owner ? { former_owner_id: owner_id } : {}), reason })

/** Nobody takes a box away from under a buyer. */
export function assertNotKept({ held_until }: Box, now: Date): void {
  if (held_until && held_until > now) throw kept()
}

/** A disputed box stays closed: its ids may turn out to be unpaid. */
export function assertNotFrozen({ frozen_at }: Box): void {
  if (frozen_at) throw frozen()
}

/** What somebody paid for goes to nobody else. */
export function assertMayPass(box: Box, to: Pick<Box, 'owner_id'>): void {
  const isSold = box.status === 'Owned' && box.order_id !== null
  if (isSold && to.owner_id !== box.owner_id) throw sold()
}

export const mayReadAll = ({ scopes }: Principal): boolean => scopes.has('adminLootbox:read')

/** Who sees a box: `whole` are operators, others see inside once it is opened. */
export type Viewer = 'whole' | 'stripped'

export function showBox(
  box: Box,
  viewer: Viewer,
  type: LootboxType | undefined,
  owner: DisplayUser | undefined,
): LootboxView {
  const isSeen = viewer === 'whole' || box.status === 'Used'
  const { yats, prices, scores } = isSeen ? box : { yats: [], prices: [], scores: [] }
  return {
    id: box.id,
    created_at: box.created_at,
    status: box.status,
    yats,
    prices,
    scores,
    average_rhythm_score: isSeen ? sum(scores) / scores.length : 0,
    total_value: sum(prices),
    lootbox_type: type ? showType(type) : null,
    lootbox_type_id: box.lootbox_type_id,
    owner: owner ?? null,
    owner_id: box.owner_id,
    seed_hash: box.seed_hash,
    ...(viewer === 'whole' ? { owner_email: box.owner_email } : {}),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

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

/** Refuses boxes that could never be filled. */
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

const drawnAtMost = 500

export function assertFew({ size }: BoxConfig, count: number): void {
  if (size * count > drawnAtMost) throw tooMany(Math.floor(drawnAtMost / size))
}

/** How a box is drawn now; later releases of emojis change nothing about it. */
export const recipeFor = (config: BoxConfig): BoxRecipe => ({
  algorithm: 2,
  config,
  emojis: emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji)),
})

/** Why an id that was drawn cannot be had; nothing when it can. */
export function reasonAgainst(standing: Standing | undefined) {
  if (standing?.owned) return 'owned'
  if (standing?.isReserved) return 'reserved'
  return standing?.isHeld ? 'held' : undefined
}

const endings: Record<Event, string> = {
  patch: 'does not become',
  delete: 'is not deleted',
  pay: 'is not sold',
  open: 'is not opened',
  take_back: 'is not taken back',
}

const state = (from: Status, event: Event, to: Status | 'gone') =>
  refusalIn(
    'status',
    'refused',
    'wrong_lootbox_state',
    `A box that is ${from} ${endings[event]}${event === 'patch' ? ` ${to}` : ''}.`,
    'state',
  )

const sealed = ({ recipe }: Box) =>
  refusalIn(
    'yats',
    'refused',
    'sealed_lootbox',
    recipe
      ? 'What was drawn is not changed: its hashes are published.'
      : 'What is in a box is changed only while it is a Draft.',
    'sealed',
  )

const kept = () => refusal('refused', 'pending_purchase', 'Somebody is buying this box right now.')

const frozen = () => {
  const message =
    'This box is frozen because the payment for it is disputed. Until that ends it stays closed.'
  return refusal('refused', 'disputed', message)
}

const sold = () =>
  refusalIn(
    'owner_id',
    'refused',
    'sold_lootbox',
    'Somebody bought this box: only a refund takes it from them.',
    'sold',
  )

export const unknownBox = () => refusal('not_found', 'unknown_lootbox', 'There is no such lootbox.')

export const notOwner = () => {
  const message = 'A box is opened by its owner. Set the status Used to open it for them.'
  return refusal('refused', 'not_lootbox_owner', message)
}

const twoOwners = () => refusal('invalid', 'two_owners', 'Give owner_id or owner_email, not both.')

type OwnerField = 'owner_id' | 'owner_email'

/** There is no active account of this owner. */
export const unknownOwner = (message: string, field: OwnerField) =>
  refusalIn(field, 'refused', 'unknown_lootbox_owner', message)

const unexpectedOwner = (field: OwnerField) =>
  refusalIn(field, 'refused', 'unexpected_lootbox_owner', 'Give the status Owned too.')

const missingOwner = (status: Status) =>
  refusalIn(
    'owner_id',
    'refused',
    'missing_lootbox_owner',
    `A box that is ${status} needs owner_id or owner_email.`,
  )

const reasons = {
  taken: 'is not to be had',
  pending_purchase: 'is being bought by somebody right now',
  eligibility: 'is in the box twice',
  coming_soon: 'has an emoji that is not released',
} as const

export const refusedIds = (code: keyof typeof reasons, ids: readonly string[]) => {
  const told = ids.map((id) => ({ code, message: `${id} ${reasons[code]}.` }))
  return refusal('refused', code, told.map(({ message }) => message).join(' '), {
    fields: { yats: told },
  })
}

const wrongId = (text: string, cause: ServiceError) => {
  const message = `“${text.slice(0, 60)}” is not an emoji id. ${cause.message}`
  return refusal(cause.kind, cause.code, message, {
    cause,
    ...inField('yats', cause.code, message),
  })
}

export const stillOwnsBoxes = () =>
  refusal('refused', 'still_owns_boxes', 'This account has lootboxes that are not opened yet.')

/** No box can be drawn by these terms. */
const configError = (code: string, message: string) =>
  refusal('refused', 'invalid_config', message, inField('config', code, message))

export const unknownType = () =>
  refusal('not_found', 'unknown_lootbox_type', 'There is no such lootbox type.')

export const exhausted = () =>
  refusalIn(
    'loot_box_type_id',
    'refused',
    'exhausted_range',
    'Ids of one of its ranges ran out: no more boxes are drawn by this type.',
  )

const tooMany = (boxes: number) =>
  refusalIn(
    'num_boxes',
    'refused',
    'too_many_boxes',
    `At most ${boxes} boxes of this size are drawn at once.`,
    'too_many',
  )
