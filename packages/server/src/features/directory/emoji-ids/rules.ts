import {
  chainFormat,
  type EmojiId,
  EmojiIdError,
  flippableEmoji,
  parseEmojiId,
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
} from '../../operations/access/index.ts'
import type { OwnerQuery } from './schema.ts'

/** The only place where input becomes an id; later code does not check it again. */
export function readEmojiId(text: string): EmojiId {
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw invalidEmojiId(error)
    throw error
  }
}

/** The owner and the hold of an id. */
export type Standing = {
  owned?: { minted: boolean; generation: number }
  /** It has no owner and cannot be bought: it rests after a refund, or is in a box. */
  isReserved?: boolean
  isHeld: boolean
}

export type StandingRow = {
  emoji_id: string
  kind: 'owned' | 'held' | 'reserved'
  minted: boolean
  generation: number
}

export function standingsOf(rows: readonly StandingRow[]): Map<EmojiId, Standing> {
  const standings = new Map<EmojiId, Standing>()
  for (const { emoji_id, kind, minted, generation } of rows) {
    const id = emoji_id as EmojiId
    if (kind === 'owned') standings.set(id, { owned: { minted, generation }, isHeld: false })
    else if (!standings.has(id)) {
      standings.set(id, { isHeld: kind === 'held', isReserved: kind === 'reserved' })
    }
  }
  return standings
}

/** The display formats of ids, by who has them. */
export function displayedBy(
  user_ids: readonly string[],
  rows: readonly { display_format: string; user_id: string | null }[],
): Map<string, string[]> {
  const found = new Map(user_ids.map((id) => [id, [] as string[]]))
  for (const { display_format, user_id } of rows) found.get(user_id ?? '')?.push(display_format)
  return found
}

/** An order whose hold expired may still be paid, and gets its ids if they are free. */
export const holdsKeptSince = (now: Date): Date => new Date(now.getTime() - hourMs)

/** An id with who has it. */
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
  pubkey: string | null
  user_id: string | null
  organization_id: string | null
}

/** An id as its owner sees it in a list. */
export function listItem(owned: OwnedId) {
  const id = owned.emoji_id as EmojiId
  return {
    canonical_format: id,
    chain_format: chainFormat(id),
    shortname: shortname(id),
    display_format: owned.display_format,
    generation: owned.generation,
    minted: owned.minted,
    token_id: owned.minted ? owned.token_id : null,
    blocked_until: owned.blocked_until,
    signed_until: owned.signed_until,
    frozen_at: owned.frozen_at,
    flippable_emoji: flippableEmoji(id),
    rhythm_score: rhythmScore(id),
    shape: shapeMatch(id),
  }
}

/** The owner, a power role of the owning organization, or a caller who may write to any id. */
function mayWrite(caller: Principal, owned: OwnedId): boolean {
  if (caller.scopes.has('adminEmoji:write')) return true
  if (owned.organization_id !== null) {
    return mayInOrganization(caller, owned.organization_id, 'organizationEmoji:write')
  }
  // A key acts for its maker only if it was made for that.
  return owned.user_id === caller.user_id && caller.scopes.has('userData:update')
}

/** Throws unless the caller may write to the id; whoever is near it is told what is missing. */
export function assertMayWrite(caller: Principal, owned: OwnedId): void {
  if (mayWrite(caller, owned)) return
  if (caller.memberships.has(owned.organization_id ?? '')) {
    throw missingScope(['organizationEmoji:write'])
  }
  if (owned.user_id === caller.user_id) throw missingScope(['userData:update'])
  throw notYours()
}

/** Whether it is theirs or their organization's; operators act for others. */
export const isTheirs = (caller: Principal, { organization_id, user_id }: OwnedId): boolean =>
  organization_id === null ? user_id === caller.user_id : caller.memberships.has(organization_id)

/**
 * Throws unless the caller has the id, by themselves or in a power role of its organization. What
 * an id is given away with is never done in an owner's name, not even by operators.
 */
export function assertOwns(caller: Principal, owned: OwnedId): void {
  const { organization_id } = owned
  if (!isTheirs(caller, owned)) throw notYours()
  if (organization_id) assertInOrganization(caller, organization_id, 'organizationEmoji:write')
}

/** An application sees the one id that was chosen for it. */
export const visibleTo = <Owned extends { emoji_id: string }>(
  { kind, emoji_id: chosen }: Principal,
  owned: Owned[],
): Owned[] => (kind === 'application' ? owned.filter(({ emoji_id }) => emoji_id === chosen) : owned)

/** A list has the ids of a user or of an organization. */
export function assertOneOwner({ user_id, organization_id }: OwnerQuery): void {
  if (user_id !== undefined && organization_id !== undefined) {
    throw invalidRequest('Send user_id or organization_id, not both.')
  }
}

/** Own ids: every session, and keys with the scope. Ids of others: callers with the scope. */
export function assertMayList(caller: Principal, query: OwnerQuery): void {
  assertOneOwner(query)
  const { user_id, organization_id } = query
  // Not even their own number: applications know people by another.
  if (caller.kind === 'application' && (user_id || organization_id)) {
    throw missingScope(['adminEmoji:load'])
  }
  if (organization_id) assertInOrganization(caller, organization_id, 'organizationEmoji:list')
  else if (user_id && user_id !== caller.user_id) {
    if (!isAdmin(caller)) throw missingScope(['adminEmoji:load'])
    assertScope(caller, 'adminEmoji:load')
  } else if (caller.kind !== 'application' && !caller.scopes.has('adminEmoji:load')) {
    assertScope(caller, 'userEmoji:list')
  }
}

/** What a request calls the id. */
export type IdField = 'eid' | 'emoji_id'

/** It has just come to its owner, who might turn out not to be the right one. */
export function assertNotBlocked({ blocked_until }: OwnedId, now: Date, field: IdField): void {
  if (blocked_until && blocked_until > now) throw blocked(blocked_until, field)
}

/** A disputed payment freezes the id until the dispute ends. */
export function assertNotFrozen({ frozen_at }: OwnedId, field: IdField): void {
  if (frozen_at) throw frozen(field)
}

/** Whoever has the token would be left with nothing behind it. */
export function assertNotMinted({ minted }: OwnedId): void {
  if (minted) throw mintedError()
}

/** Nobody could do anything with an id that is bound to somebody who is gone. */
export function assertActive<Person extends { deactivated_at: Date | null }>(
  user: Person | undefined,
): asserts user is Person {
  if (!user || user.deactivated_at) throw inactiveOwner()
}

const invalidEmojiId = (cause: EmojiIdError) => idRefusals[cause.kind](cause)

const idRefusals: Record<EmojiIdError['kind'], (cause: EmojiIdError) => ServiceError> = {
  /** The address is not percent-encoded UTF-8. */
  encoding: (cause) => refusal('invalid', 'invalid_encoding', cause.message, { cause }),
  /** There is no emoji. */
  empty: (cause) => refusal('invalid', 'empty_emoji_id', cause.message, { cause }),
  /** The id has too many emojis. */
  length: (cause) => refusal('invalid', 'wrong_length', cause.message, { cause }),
  /** Not an emoji of the alphabet; the message names it. */
  character: (cause) => refusal('invalid', 'unknown_emoji', cause.message, { cause }),
  /** A skin tone or variation stands where it does not belong. */
  modifier: (cause) => refusal('invalid', 'wrong_modifier', cause.message, { cause }),
}

export class UnregisteredError extends ServiceError {
  override readonly name = 'EmojiIds.UnregisteredError'
  constructor(id: EmojiId) {
    super('not_found', 'unregistered_emoji_id', `The emoji id ${id} is not registered.`)
  }
}

export const notYours = () => refusal('forbidden', 'not_yours', 'This emoji id is not yours.')

export const taken = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'taken', `Somebody has ${id}.`)

export const held = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'pending_purchase', `Somebody is buying ${id} right now.`)

export const missingOwner = (members: string) =>
  refusal('invalid', 'missing_owner', `Give one of ${members}.`)

const inactiveOwner = () =>
  refusal('refused', 'inactive_owner', 'The account that would have it is deactivated or deleted.')

export const uselessKey = () =>
  refusalIn(
    'pubkey',
    'refused',
    'unproven_key',
    'Ids are bound to keys that are kept here or proven, and to no other.',
    'unproven',
  )

export const foreignKey = () =>
  refusalIn('pubkey', 'refused', 'foreign_key', 'This key is not one of the buyer’s.')

const blocked = (until: Date, field: IdField) =>
  refusalIn(
    field,
    'refused',
    'blocked',
    `This id has changed hands lately. Until ${until.toISOString()} it is neither handed on, given back nor minted.`,
  )

const frozen = (field: IdField) =>
  refusalIn(
    field,
    'refused',
    'disputed',
    'This id is frozen because the payment for it is disputed. Until that ends it is neither handed on, given back nor minted.',
  )

const mintedError = () =>
  refusalIn('emoji_id', 'refused', 'minted', 'This id is minted: its token cannot be taken back.')

export const stillOwns = (count: number) =>
  refusal(
    'refused',
    'still_owns',
    `This account has ${count === 1 ? 'an emoji id' : `${count} emoji ids`}. Send each to somebody first, or give it back.`,
  )
