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
import { withheldPart } from '../../platform/http/api/schemas.ts'
import type { Letter } from '../../platform/mail/letter.ts'
import { type IdStatus, readEmojiId } from '../directory/emoji-ids/emoji-ids.ts'
import type { DisplayUser } from '../identity/accounts/accounts.ts'
import type { Principal } from '../operations/access/access.ts'
import type { Box, LootboxType } from './repository.ts'
import type { LootboxChange, LootboxTypeView, LootboxView, Status } from './schema.ts'

/** To the owner of a lootbox from an operator, with an account or without. */
export function lootboxGiven(idCount: number, link: string): Letter {
  const ids = idCount === 1 ? 'one emoji id' : `${idCount} emoji ids`
  return {
    subject: 'You received a lootbox',
    before: `You received a lootbox with ${ids}. Sign in or register with this address, then open the box to get its emoji ids.`,
    notice: `It holds ${ids}. Open it to get them.`,
    link: { label: 'Sign in', url: link },
    after: 'If you don’t want it, ignore this email.',
  }
}

type Event = 'patch' | 'delete' | 'pay' | 'open' | 'take_back'

/**
 * The transitions of a box and their events. All others are refused: by `assertMay`, and for orders
 * by the conditions of the statements in the repository.
 */
const transitions: Record<Status, Partial<Record<Event, readonly (Status | 'gone')[]>>> = {
  Draft: { patch: ['Draft', 'Available', 'Owned', 'Used'], delete: ['gone'] },
  Available: { patch: ['Available', 'Owned', 'Used'], delete: ['gone'], pay: ['Owned'] },
  Owned: { patch: ['Owned', 'Used'], open: ['Used'], take_back: ['Available'] },
  // A repeat returns the same result.
  Used: { open: ['Used'] },
}

export function assertMay(from: Status, event: Event, to: Status | 'gone'): void {
  if (!transitions[from][event]?.includes(to)) throw state(from, event, to)
}

/** An id with its display format. */
export type Yat = { id: EmojiId; text: string }

/** The contents of a box, drawn or chosen by an operator. */
export type BoxFilling = {
  id: string
  seed: Buffer
  yats: readonly Yat[]
  drawn?: { lootbox_type_id: string; recipe: BoxRecipe; rejected: readonly Rejection[] }
}

/** Reads distinct ids of released emojis, with their typed form. */
export function readYats(texts: readonly string[]): Yat[] {
  const yats = texts.map((text) => ({ id: readOneOf(text), text: toDisplayFormat(text) }))
  const isFirst = ({ id }: Yat, at: number) => yats.findIndex((one) => one.id === id) === at
  const repeatedIds = yats.filter((yat, at) => !isFirst(yat, at)).map(({ id }) => id)
  if (repeatedIds.length > 0) throw refusedIds('eligibility', repeatedIds)
  const unreleasedIds = yats.filter(({ id }) => !isReleased(id)).map(({ id }) => id)
  if (unreleasedIds.length > 0) throw refusedIds('coming_soon', unreleasedIds)
  return yats
}

/** In a list, the error names the invalid id. */
function readOneOf(text: string): EmojiId {
  try {
    return readEmojiId(text)
  } catch (error) {
    throw error instanceof ServiceError ? wrongId(text, error) : error
  }
}

export function assertHeld({ taken, held }: { taken: EmojiId[]; held: EmojiId[] }): void {
  if (taken.length > 0) throw refusedIds('taken', taken)
  if (held.length > 0) throw refusedIds('pending_purchase', held)
}

export const contentsOf = (yats: readonly Yat[], prices: ReadonlyMap<EmojiId, number | null>) => ({
  yats: yats.map(({ text }) => text),
  prices: yats.map(({ id }) => prices.get(id) ?? 0),
  scores: yats.map(({ id }) => rhythmScore(id)),
})

/** The hashes that are published before a box is opened. */
export function commitTo({ seed, yats, drawn }: Omit<BoxFilling, 'id'>) {
  const hex = seed.toString('hex')
  const { rejected, recipe } = drawn ?? { rejected: [], recipe: null }
  const emoji_ids = yats.map(({ id }) => id)
  const contents_hash = contentsHash({ seed: hex, emoji_ids, rejected, recipe })
  return { seed_hash: seedHash(hex), contents_hash }
}

/** A user, or an email address until an account confirms it. */
export type Owner =
  | { owner_id: string; owner_email: null }
  | { owner_id: null; owner_email: string }
export const noOwner = { owner_id: null, owner_email: null }
/** Held by no order. */
export const noOrder = { order_id: null, held_until: null }
export type OwnerInput = Pick<LootboxChange, 'owner_id' | 'owner_email'>

/** Owned and Used need an owner, new or existing; the other states take none. */
export function assertOwnerFits(status: Status, owner: OwnerInput, hasOwner: boolean): void {
  const { owner_id, owner_email } = owner
  if (owner_id !== undefined && owner_email !== undefined) throw twoOwners()
  const isGiven = (owner_id ?? owner_email) !== undefined
  const takesOwner = status === 'Owned' || status === 'Used'
  if (isGiven && !takesOwner) {
    throw unexpectedOwner(fieldOf(owner))
  }
  if (takesOwner && !isGiven && !hasOwner) {
    throw missingOwner(status)
  }
}

/** The request member that names the owner; owner_id by default. */
export const fieldOf = ({ owner_email }: { owner_email?: string | null }) =>
  owner_email ? 'owner_email' : 'owner_id'

/** The status of a box after a change; throws if the change is not allowed. */
export function statusAfter(box: Box, change: LootboxChange, now: Date): Status {
  const to = change.status ?? box.status
  assertMay(box.status, 'patch', to)
  assertNotHeld(box, now)
  if (change.yats && (box.status !== 'Draft' || box.recipe)) throw sealedError(box)
  assertOwnerFits(to, change, box.status === 'Owned')
  const isPassed = box.status === 'Owned' && (change.owner_id ?? change.owner_email) !== undefined
  if (isPassed && change.status === undefined) throw missingStatus()
  return to
}

/** The reason of a change for the audit log, with the former owner. */
export const noteOf = (
  { status, owner_id }: Box,
  owner: object | undefined,
  { reason }: LootboxChange,
) => ({ ...(status === 'Owned' && owner ? { former_owner_id: owner_id } : {}), reason })

/** A box in a checkout cannot be withdrawn. */
export function assertNotHeld({ held_until }: Box, now: Date): void {
  if (held_until && held_until > now) throw pendingPurchase()
}

/** A disputed box stays closed: its ids may turn out to be unpaid. */
export function assertNotFrozen({ frozen_at }: Box): void {
  if (frozen_at) throw frozen()
}

/** A paid box cannot be given to another user. */
export function assertMayPass(box: Box, to: Pick<Box, 'owner_id'>): void {
  const isSold = box.status === 'Owned' && box.order_id !== null
  if (isSold && to.owner_id !== box.owner_id) throw soldError()
}

export const mayReadAll = ({ scopes }: Principal): boolean => scopes.has('adminLootbox:read')

/** Operators see the `whole` box; others see its contents once it is opened. */
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
    ...withheldPart(isSeen ? [] : contentMembers),
  }
}

const contentMembers = ['yats', 'prices', 'scores', 'average_rhythm_score', 'total_value']

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

export function assertSound(config: BoxConfig): void {
  const { size, min_length, max_length, guarantees } = config
  if (min_length > max_length) throw invalidConfig('range', 'min_length is above max_length.')
  for (const { min_score, max_score } of rangesOf(config)) {
    if (min_score > max_score) {
      throw invalidConfig('range', `A score from ${min_score} to ${max_score} is impossible.`)
    }
  }
  if (guarantees.reduce((sum, { count }) => sum + count, 0) > size) {
    throw invalidConfig('size', 'The box guarantees more ids than its size.')
  }
}

/** Every score range that ids are drawn for. */
export const rangesOf = (config: BoxConfig): ScoreRange[] => [
  { min_score: config.min_base_score, max_score: config.max_base_score },
  ...config.guarantees,
  ...config.weights,
]

/** Rejects a type whose boxes could never be filled. */
export function assertFindable(
  { min_length, max_length }: BoxConfig,
  { min_score, max_score }: ScoreRange,
  draw: Draw,
): void {
  if (randomFitting({ min_length, max_length, min_score, max_score }, draw)) return
  const ids = `${min_length} to ${max_length} emojis and a score from ${min_score} to ${max_score}`
  throw invalidConfig('nothing_fits', `No ids with ${ids} exist.`)
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

export function assertCountAllowed({ size }: BoxConfig, count: number): void {
  if (size * count > drawnAtMost) throw tooMany(Math.floor(drawnAtMost / size))
}

/** How a box is drawn now; later emoji releases do not change it. */
export const recipeFor = (config: BoxConfig): BoxRecipe => ({
  algorithm: 2,
  config,
  emojis: emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji)),
})

/** Why a drawn id is not available; undefined if it is. */
export function reasonAgainst(status: IdStatus | undefined) {
  if (status?.owned) return 'owned'
  if (status?.isReserved) return 'reserved'
  return status?.isHeld ? 'held' : undefined
}

const endings: Record<Exclude<Event, 'patch'>, string> = {
  delete: 'deleted',
  pay: 'sold',
  open: 'opened',
  take_back: 'taken back',
}

const state = (from: Status, event: Event, to: Status | 'gone') =>
  refusalIn(
    'status',
    'refused',
    'wrong_lootbox_state',
    event === 'patch'
      ? `A box that is ${from} can’t become ${to}.`
      : `A box that is ${from} can’t be ${endings[event]}.`,
    'state',
  )

const sealedError = ({ recipe }: Box) =>
  refusalIn(
    'yats',
    'refused',
    'sealed_lootbox',
    recipe
      ? 'The ids of a drawn box can’t be changed: its hashes are published.'
      : 'The ids of a box can be changed only while it is a Draft.',
    'sealed',
  )

const pendingPurchase = () =>
  refusal('refused', 'pending_purchase', 'Another buyer is buying this box right now.')

const frozen = () => {
  const message =
    'This box is frozen because its payment is disputed. It can’t be opened until the dispute ends.'
  return refusal('refused', 'disputed', message)
}

const soldError = () =>
  refusalIn(
    'owner_id',
    'refused',
    'sold_lootbox',
    'This box was bought. Refund it to take it from its buyer.',
    'sold',
  )

export const unknownLootbox = () =>
  refusal('not_found', 'unknown_lootbox', 'This lootbox does not exist.')

export const notOwner = () => {
  const message = 'Only the owner can open a box. Set the status Used to open it for them.'
  return refusal('refused', 'not_lootbox_owner', message)
}

const twoOwners = () =>
  refusal('invalid', 'two_owners', 'Send either owner_id or owner_email, not both.')

type OwnerField = 'owner_id' | 'owner_email'

export const unknownOwner = (message: string, field: OwnerField) =>
  refusalIn(field, 'refused', 'unknown_lootbox_owner', message)

const unexpectedOwner = (field: OwnerField) =>
  refusalIn(field, 'refused', 'unexpected_lootbox_owner', 'Send the status Owned as well.')

const missingStatus = () =>
  refusalIn(
    'status',
    'refused',
    'missing_status',
    'To give this lootbox to another owner, send status Owned too.',
    'missing',
  )

const missingOwner = (status: Status) =>
  refusalIn(
    'owner_id',
    'refused',
    'missing_lootbox_owner',
    `A box that is ${status} needs owner_id or owner_email.`,
  )

const reasons = {
  taken: 'is not available',
  pending_purchase: 'is being bought by another buyer right now',
  eligibility: 'is in the box twice',
  coming_soon: 'has an emoji that is not released',
} as const

export const refusedIds = (code: keyof typeof reasons, ids: readonly string[]) => {
  const errors = ids.map((id) => ({ code, message: `${id} ${reasons[code]}.` }))
  return refusal('refused', code, errors.map(({ message }) => message).join(' '), {
    fields: { yats: errors },
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
  refusal('refused', 'still_owns_boxes', 'This account has unopened lootboxes. Open them first.')

const invalidConfig = (code: string, message: string) =>
  refusal('refused', 'invalid_config', message, inField('config', code, message))

export const unknownLootboxType = () =>
  refusal('not_found', 'unknown_lootbox_type', 'This lootbox type does not exist.')

export const exhaustedError = () =>
  refusalIn(
    'loot_box_type_id',
    'refused',
    'exhausted_range',
    'The ids of one of its ranges ran out, so this type draws no more boxes. Create another type.',
  )

const tooMany = (boxes: number) =>
  refusalIn(
    'num_boxes',
    'refused',
    'too_many_boxes',
    `At most ${boxes} boxes of this size can be drawn in one request.`,
    'too_many',
  )
