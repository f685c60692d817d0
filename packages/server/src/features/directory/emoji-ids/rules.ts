import {
  chainFormat,
  type EmojiId,
  EmojiIdError,
  flippableEmoji,
  parseEmojiId,
  parseSpelling,
  rhythmScore,
  shapeMatch,
  shortname,
} from '@emojid/core'
import { invalidRequest, refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import { hourMs } from '../../../platform/time.ts'
import {
  assertInOrganization,
  assertScope,
  isAdmin,
  mayInOrganization,
  missingScope,
  type Principal,
} from '../../operations/access/access.ts'
import type { IdOrigin } from './repository.ts'
import type { OwnerQuery } from './schema.ts'

/** Parses an id typed in emojis; later code does not check it again. */
export const readEmojiId = (text: string): EmojiId => readWith(parseEmojiId, text)

/** Parses an id in any spelling, for lookups. */
export const readSpelling = (text: string): EmojiId => readWith(parseSpelling, text)

function readWith(parse: (text: string) => EmojiId, text: string): EmojiId {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw invalidEmojiId(error)
    throw error
  }
}

/** Whether an id has an owner, is reserved, or is held. */
export type IdStatus = {
  owned?: { minted: boolean; generation: number; origin: IdOrigin | null }
  /** It has no owner and cannot be bought: it rests after a refund, or is in a lootbox. */
  isReserved?: boolean
  isHeld: boolean
}

export type StatusRow = {
  emoji_id: string
  kind: 'owned' | 'held' | 'reserved'
  minted: boolean
  generation: number
  origin: IdOrigin | null
}

export function statusesOf(rows: readonly StatusRow[]): Map<EmojiId, IdStatus> {
  const statuses = new Map<EmojiId, IdStatus>()
  for (const { emoji_id, kind, minted, generation, origin } of rows) {
    const id = emoji_id as EmojiId
    if (kind === 'owned') statuses.set(id, { owned: { minted, generation, origin }, isHeld: false })
    else if (!statuses.has(id)) {
      statuses.set(id, { isHeld: kind === 'held', isReserved: kind === 'reserved' })
    }
  }
  return statuses
}

/** The display formats of ids by owner. */
export function displayedBy(
  user_ids: readonly string[],
  rows: readonly { display_format: string; user_id: string | null }[],
): Map<string, string[]> {
  const idsByUser = new Map(user_ids.map((id) => [id, [] as string[]]))
  for (const { display_format, user_id } of rows) idsByUser.get(user_id ?? '')?.push(display_format)
  return idsByUser
}

/** An order whose hold expired may still be paid. It gets its ids if they are available. */
export const holdsKeptSince = (now: Date): Date => new Date(now.getTime() - hourMs)

/** An id with its owner. */
export type OwnedId = {
  emoji_id: string
  display_format: string
  generation: number
  token_id: number | null
  minted: boolean
  blocked_until: Date | null
  signed_until: Date | null
  order_id: string | null
  frozen_at: Date | null
  suspended_at: Date | null
  suspension_reason: string | null
  suspended_with_owner: boolean
  suspended_with_user: string | null
  pubkey: string | null
  user_id: string | null
  organization_id: string | null
}

/** The time in which the watcher of the contract reports a mint of the last moment. */
export const reportMs = hourMs

/** Whether a signature is valid, or a mint with it may still be reported. */
export const mayBecomeMinted = (
  { signed_until }: { signed_until: Date | null },
  now: Date,
): boolean => signed_until !== null && signed_until.getTime() + reportMs > now.getTime()

/** The page of an id in the account of its owner, as a path of the web app. */
export const idPage = (id: string): string => `/account/ids/${id}`

/** An id as its owner sees it in a list. */
export function listItem(ownedId: OwnedId) {
  const id = ownedId.emoji_id as EmojiId
  return {
    canonical_format: id,
    chain_format: chainFormat(id),
    shortname: shortname(id),
    display_format: ownedId.display_format,
    generation: ownedId.generation,
    minted: ownedId.minted,
    token_id: ownedId.minted ? ownedId.token_id : null,
    blocked_until: ownedId.blocked_until,
    signed_until: ownedId.signed_until,
    frozen_at: ownedId.frozen_at,
    suspended_at: ownedId.suspended_at,
    flippable_emoji: flippableEmoji(id),
    rhythm_score: rhythmScore(id),
    shape: shapeMatch(id),
  }
}

/** The owner, a power role of the owning organization, or a caller who may write to any id. */
function mayWrite(caller: Principal, ownedId: OwnedId): boolean {
  if (caller.scopes.has('adminEmoji:write')) return true
  if (ownedId.organization_id !== null) {
    return mayInOrganization(caller, ownedId.organization_id, 'organizationEmoji:write')
  }
  // An API key acts for its user only within its scopes.
  return ownedId.user_id === caller.user_id && caller.scopes.has('userData:update')
}

/**
 * Throws unless the caller may write to the id. Callers with partial access get a specific error.
 */
export function assertMayWrite(caller: Principal, ownedId: OwnedId): void {
  if (mayWrite(caller, ownedId)) return
  if (caller.memberships.has(ownedId.organization_id ?? '')) {
    throw missingScope(['organizationEmoji:write'])
  }
  if (ownedId.user_id === caller.user_id) throw missingScope(['userData:update'])
  throw notYours()
}

/** Whether the caller or the caller's organization owns the id. Operators act for other owners. */
export const isTheirs = (caller: Principal, { organization_id, user_id }: OwnedId): boolean =>
  organization_id === null ? user_id === caller.user_id : caller.memberships.has(organization_id)

/**
 * Throws unless the caller owns the id or has a power role in its organization. Not even operators
 * can transfer an id in the name of its owner.
 */
export function assertOwns(caller: Principal, ownedId: OwnedId): void {
  const { organization_id } = ownedId
  if (!isTheirs(caller, ownedId)) throw notYours()
  if (organization_id) assertInOrganization(caller, organization_id, 'organizationEmoji:write')
}

/** An application sees only the id that its user selected. */
export const visibleTo = <Owned extends { emoji_id: string }>(
  { kind, emoji_id: chosenId }: Principal,
  ownedIds: Owned[],
): Owned[] =>
  kind === 'application' ? ownedIds.filter(({ emoji_id }) => emoji_id === chosenId) : ownedIds

/** A list has the ids of one user or one organization. */
export function assertOneOwner({ user_id, organization_id }: OwnerQuery): void {
  if (user_id !== undefined && organization_id !== undefined) {
    throw invalidRequest('Send user_id or organization_id, not both.')
  }
}

/**
 * Own ids: every session, and API keys with the scope. Ids of other users: callers with the scope.
 * `listIds` checks the access to an organization.
 */
export function assertMayList(caller: Principal, query: OwnerQuery): void {
  assertOneOwner(query)
  const { user_id, organization_id } = query
  // Applications know users by a pairwise id and must not learn the real one.
  if (caller.kind === 'application' && (user_id || organization_id)) {
    throw missingScope(['adminEmoji:load'])
  }
  if (organization_id) return
  if (user_id && user_id !== caller.user_id) {
    if (!isAdmin(caller)) throw missingScope(['adminEmoji:load'])
    assertScope(caller, 'adminEmoji:load')
  } else if (caller.kind !== 'application' && !caller.scopes.has('adminEmoji:load')) {
    assertScope(caller, 'userEmoji:list')
  }
}

/** The request member with the id. */
export type IdField = 'eid' | 'emoji_id'

/** A recent transfer may turn out to be theft, so the id stays where it is for a while. */
export function assertNotBlocked({ blocked_until }: OwnedId, now: Date, field: IdField): void {
  if (blocked_until && blocked_until > now) throw blocked(blocked_until, field)
}

/** A disputed payment freezes the id until the dispute ends. */
export function assertNotFrozen({ frozen_at }: OwnedId, field: IdField): void {
  if (frozen_at) throw frozen(field)
}

/** A suspended id cannot be looked up or changed until an operator restores it. */
export function assertNotSuspended({ suspended_at }: Pick<OwnedId, 'suspended_at'>): void {
  if (suspended_at) throw suspendedId()
}

/** The holder of the token would be left with an id that does not exist. */
export function assertNotMinted({ minted }: OwnedId): void {
  if (minted) throw mintedError()
}

/** An id bound to an inactive account would be lost. */
export function assertActive<Person extends { deactivated_at: Date | null }>(
  user: Person | undefined,
): asserts user is Person {
  if (!user || user.deactivated_at) throw inactiveOwner()
}

/** The reason on the reserved list if the operator gave none. */
export const revokedReason = 'Revoked by an operator'

const wildcard = '*'
const wildcardsAtMost = 3

export const hasWildcard = (pattern: string): boolean => pattern.includes(wildcard)

/** Reads an entry of the reserved list: an id, or emojis with wildcards between them. */
export function readPattern(text: string): string {
  const pattern = text.trim().replaceAll(/\*+/g, wildcard)
  if (!hasWildcard(pattern)) return readEmojiId(pattern)
  const parts = pattern.split(wildcard)
  const emojis = parts.join('')
  if (emojis === '' || parts.length > wildcardsAtMost + 1) throw wrongPattern()
  // Refuses more emojis than an id has.
  readEmojiId(emojis)
  return parts.map((part) => (part === '' ? '' : readEmojiId(part))).join(wildcard)
}

export type ReservedEntry = { pattern: string; reason: string }

/** The audit details of an entry. An exact one names its id, so that its history shows it. */
export const detailsOf = ({
  pattern,
  reason,
}: {
  pattern: string
  reason: string | undefined
}) => ({
  ...(hasWildcard(pattern) ? {} : { emoji_id: pattern }),
  pattern,
  reason,
})

/** Reads each row, or returns why it is invalid. A pattern may occur once. */
export function readReserved(rows: readonly ReservedEntry[]): (ReservedEntry | ServiceError)[] {
  const seenIds = new Set<string>()
  return rows.map(({ pattern: text, reason }) => {
    try {
      const pattern = readPattern(text)
      if (seenIds.has(pattern)) return repeatedPattern()
      seenIds.add(pattern)
      return { pattern, reason }
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  })
}

export function refusedRow(pattern: string, error: ServiceError | undefined) {
  const { code, message } = error ?? wrongPattern()
  return { pattern, status: 'refused' as const, error: { code, message } }
}

const reservedAtMost = 100_000
/** Every search compares its ids with all patterns. */
const patternsAtMost = 200

export function assertListFits(
  before: { all: number; wildcards: number },
  addedEntries: readonly ReservedEntry[],
): void {
  const patterns = new Set(addedEntries.map(({ pattern }) => pattern))
  const wildcards = [...patterns].filter(hasWildcard).length
  if (before.all + patterns.size > reservedAtMost) throw fullList()
  if (before.wildcards + wildcards > patternsAtMost) throw tooManyPatterns()
}

const invalidEmojiId = (cause: EmojiIdError) => idRefusals[cause.kind](cause)

const idRefusals: Record<EmojiIdError['kind'], (cause: EmojiIdError) => ServiceError> = {
  encoding: (cause) => refusal('invalid', 'invalid_encoding', cause.message, { cause }),
  empty: (cause) => refusal('invalid', 'empty_emoji_id', cause.message, { cause }),
  length: (cause) => refusal('invalid', 'wrong_length', cause.message, { cause }),
  character: (cause) => refusal('invalid', 'unknown_emoji', cause.message, { cause }),
  modifier: (cause) => refusal('invalid', 'wrong_modifier', cause.message, { cause }),
}

export class UnregisteredError extends ServiceError {
  override readonly name = 'EmojiIds.UnregisteredError'
  constructor(id: EmojiId) {
    super('not_found', 'unregistered_emoji_id', `The emoji id ${id} is not registered.`)
  }
}

export const notYours = () => refusal('forbidden', 'not_yours', 'This emoji id is not yours.')

export const takenId = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'taken', `${id} already has an owner.`)

export const heldId = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'pending_purchase', `Another buyer is buying ${id} right now.`)

export const missingOwner = (members: string) =>
  refusal('invalid', 'missing_owner', `Send one of ${members}.`)

const inactiveOwner = () =>
  refusal(
    'refused',
    'inactive_owner',
    'The account that would own the id is deactivated or deleted.',
  )

export const uselessKey = () =>
  refusalIn(
    'pubkey',
    'refused',
    'unproven_key',
    'This key is listed, but not proven. Prove it with POST /pubkeys/{pubkey}/prove, or use another key.',
    'unproven',
  )

export const foreignKey = () =>
  refusalIn('pubkey', 'refused', 'foreign_key', 'This key does not belong to the buyer.')

const blocked = (until: Date, field: IdField) =>
  refusalIn(
    field,
    'refused',
    'blocked',
    `This id changed its owner recently. It can’t be transferred, released or minted until ${until.toISOString()}.`,
  )

const frozen = (field: IdField) =>
  refusalIn(
    field,
    'refused',
    'disputed',
    'This id is frozen because its payment is disputed. It can’t be transferred, released or minted until the dispute ends.',
  )

export const suspendedId = () =>
  refusal(
    'suspended',
    'suspended',
    'An operator has suspended this emoji id. Do not send payments to it.',
  )

/** For owners, who know that it is suspended and want to know what to do. */
export const suspendedForOwner = (appealsEmail: string) =>
  refusal(
    'suspended',
    'suspended',
    `Our support has suspended this emoji id, so nothing about it can be changed. If you disagree, write to ${appealsEmail}.`,
  )

const mintedError = () =>
  refusalIn('emoji_id', 'refused', 'minted', 'This id is minted, so it can’t be released.')

const wrongPattern = () =>
  refusal(
    'invalid',
    'invalid_pattern',
    `Send an emoji id, or up to six emojis with at most ${wildcardsAtMost} wildcards (*).`,
  )

const repeatedPattern = () =>
  refusalIn('pattern', 'refused', 'repeated', 'An earlier row of the same request has this entry.')

const fullList = () =>
  refusal(
    'refused',
    'full_reserved_list',
    `The reserved list has at most ${reservedAtMost} entries. Remove some first.`,
  )

const tooManyPatterns = () =>
  refusal(
    'refused',
    'too_many_patterns',
    `The reserved list has at most ${patternsAtMost} patterns with wildcards. Remove some first.`,
  )

export const unknownReservation = () =>
  refusal('not_found', 'unknown_reservation', 'The reserved list has no such entry.')

export const removedOrganization = () =>
  refusal(
    'refused',
    'removed_person',
    'This organization belongs to people whom an operator removed. Send a reason to give the id anyway.',
  )

export const stillOwns = (count: number) =>
  refusal(
    'refused',
    'still_owns',
    `This account owns ${count === 1 ? 'an emoji id' : `${count} emoji ids`}. Transfer or release each of them first.`,
  )

/** The owner can neither transfer nor release a suspended id. */
export const stillOwnsSuspended = (appealsEmail: string) =>
  refusal(
    'refused',
    'still_owns',
    `Our support has suspended an emoji id of this account, so the account can’t be deleted. If you disagree with the suspension, write to ${appealsEmail}.`,
  )
