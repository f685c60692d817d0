import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Deps } from './emoji-ids.ts'
import { resolveKey } from './owner-keys.ts'
import { loadIdToChange } from './read-ids.ts'
import { recordRegistered } from './record-events.ts'
import { insertIds, registerId } from './register-id.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'
import type { Grant } from './schema.ts'

export type Taker = OptionalReasonBody & { actor_id: string | null }

type BoughtId = { emoji_id: string; display_format: string }

/**
 * Grants the held ids of an order to a key; returns false if one of them is not held, or was reserved
 * since its checkout began.
 */
export async function grantHeldIds(
  deps: Deps,
  trx: Transaction,
  { id: order_id, user_id }: { id: string; user_id: string },
  purchases: readonly BoughtId[],
  pubkey: string,
) {
  if (purchases.length === 0) return true
  const { now } = deps
  const heldIds = new Set((await ids.removeHolds(trx, order_id)).map(({ emoji_id }) => emoji_id))
  const boughtIds = purchases.map(({ emoji_id }) => emoji_id)
  if (!boughtIds.every((id) => heldIds.has(id))) return false
  if (await ids.isAnyReserved(trx, boughtIds, now())) return false
  const texts = purchases.map(({ display_format }) => display_format)
  const purchase = { pubkey, bought_at: now(), order_id, origin: 'Purchase' as const }
  const newIds = await insertIds(deps, trx, texts, purchase)
  if (newIds.length < purchases.length) return false
  const owner = { user_id, organization_id: null }
  await recordRegistered(
    deps,
    trx,
    newIds.map((newId) => ({ ...newId, ...owner })),
  )
  return true
}

/** Registers many ids at once; returns which were registered, and which a checkout holds. */
export async function giveIds(
  deps: Deps,
  trx: Transaction,
  rows: Parameters<typeof ids.insertMany>[1],
  by: string,
) {
  const outcome = await ids.insertMany(trx, rows, by, deps.now())
  const newIds = [...outcome.newIds]
  if (newIds.length > 0) await recordRegistered(deps, trx, await ids.findOwners(trx, newIds))
  return outcome
}

export async function grantId(deps: Deps, caller: Principal, body: Grant) {
  const { db, now, audit } = deps
  const id = rules.readEmojiId(body.emoji_id)
  return transact(db, async (trx) => {
    const pubkey = await resolveKey(deps, trx, body)
    await holdCaller(trx, caller)
    if (!(await ids.holdBriefly(trx, id, caller.user_id, now()))) throw rules.heldId(id)
    if (await ids.isBoxed(trx, id)) throw rules.takenId(id)
    if (!(await registerId(deps, trx, body.emoji_id, { pubkey }))) throw rules.takenId(id)
    await ids.removeHolds(trx, caller.user_id)
    const ownedId = await loadIdToChange(trx, id)
    const details = { emoji_id: id, pubkey, reason: body.reason }
    const entry = { actor_id: caller.user_id, subject_id: ownedId.user_id, details }
    await audit.writeEntry(trx, 'emoji_id.granted', entry)
    return rules.listItem(ownedId)
  })
}
