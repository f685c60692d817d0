import { type EmojiId, parseEmojiId } from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'
import { mayBecomeMinted, type OwnedId, readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import type { DisputeRow } from '../ledger/ledger.ts'
import { isBox, isId, type Order, type OrderItem } from '../orders/orders.ts'
import type { DisputeFacts } from './schema.ts'

/** Ids that were refunded but never released. */
export const isRefunded = (items: readonly OrderItem[], { emoji_id }: OwnedId): boolean =>
  items.some((item) => item.emoji_id === emoji_id && item.refunded_quantity > 0)

/**
 * Whether a lost dispute releases an id automatically: only while the buyer owns it. An operator
 * decides about transferred or minted ids, and ids with a valid mint signature.
 */
export const isReleasedAutomatically = (ownedId: OwnedId, order: Order, now: Date): boolean =>
  ownedId.user_id === order.user_id && !ownedId.minted && !mayBecomeMinted(ownedId, now)

/** The items of an order that have no owner any more. */
export function itemsWithoutOwner(
  items: readonly OrderItem[],
  ownedIds: ReadonlySet<string>,
  boxes: readonly { id: string; status: string; order_id: string | null; yats: string[] }[],
): OrderItem[] {
  return items.filter((item) => {
    if (item.refunded_quantity > 0) return false
    if (isId(item)) return !ownedIds.has(item.emoji_id)
    if (!isBox(item)) return false
    const box = boxes.find(({ id }) => id === item.lootbox_id)
    if (box?.status === 'Used') return !box.yats.some((text) => ownedIds.has(parseEmojiId(text)))
    return box?.order_id !== item.order_id
  })
}

/** The ids of the decision: all frozen ones, or the chosen ones. */
export function chooseFrozen(
  ownedIds: readonly OwnedId[],
  ids: readonly string[] | undefined,
): OwnedId[] {
  const frozenIds = ownedIds.filter(({ frozen_at }) => frozen_at !== null)
  if (!ids) return frozenIds
  const named = new Set<EmojiId>(ids.map(readEmojiId))
  const chosenIds = frozenIds.filter(({ emoji_id }) => named.has(emoji_id as EmojiId))
  if (chosenIds.length < named.size) throw notFrozen()
  return chosenIds
}

export function assertMayTakeBack({ awaits_decision }: DisputeRow): void {
  if (!awaits_decision) throw nothingToDecide()
}

/** Allowed before the bank decides: a recipient in good faith need not wait. */
export function assertMayLeave({ status, awaits_decision }: DisputeRow): void {
  if (status !== 'open' && !awaits_decision) throw nothingToDecide()
}

export function placeOf(ownedId: OwnedId, buyer: string): DisputeFacts['ids'][number]['place'] {
  if (ownedId.organization_id) return 'organization'
  if (ownedId.user_id === null) return 'unowned'
  return ownedId.user_id === buyer ? 'buyer' : 'other_account'
}

export function leftAfter({ awaits_decision, taken_in_cents }: DisputeRow) {
  if (awaits_decision) return 'frozen'
  return taken_in_cents === 0 ? 'as_planned' : 'gone'
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** For the email to operators. */
export function sentenceOf(dispute: DisputeRow): string {
  const { amount_in_cents, reason, status, answer_until } = dispute
  const about = `${dollars(amount_in_cents)} (${reason.replaceAll('_', ' ')})`
  if (status === 'won') return `You won the dispute of ${about}.`
  if (status === 'open') {
    const until = answer_until ? ` until ${answer_until.toISOString()}` : ''
    return `A buyer’s bank disputes ${about}. The purchase is frozen. Respond at the card provider${until}.`
  }
  return `You lost the dispute of ${about}. ${lostSentences[leftAfter(dispute)]}`
}

const lostSentences = {
  frozen: 'We could not take back everything automatically. Please decide about the rest.',
  gone: 'We took the purchase back.',
  as_planned: 'This replaces the planned refunds. Nothing else changes.',
}

export const unknownDispute = () =>
  refusal('not_found', 'unknown_dispute', 'This dispute does not exist.')

const nothingToDecide = () =>
  refusal(
    'refused',
    'nothing_to_decide',
    'This dispute does not need a decision: the bank has not decided, or everything is decided.',
  )

const notFrozen = () =>
  refusal('refused', 'not_frozen', 'Some of these ids are not frozen by this dispute.')

export const stillOpen = () =>
  refusal('refused', 'disputed', 'Another dispute of this order is open. Wait until it ends.')
