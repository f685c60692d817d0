import { toDisplayFormat } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertNotMinted, type OwnedId } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { DisputeRow } from '../ledger/ledger.ts'
import { type Order, orderNumber } from '../orders/orders.ts'
import type { Deps } from './disputes.ts'
import { disputeDecided, idTakenBack } from './mails.ts'
import { auditDispute } from './notify-dispute.ts'
import { loadDispute, showDispute } from './read-disputes.ts'
import * as rules from './rules.ts'
import type { Decision } from './schema.ts'
import { isAnyFrozen, markItemsRefunded, releaseIds, takeBackBoxes } from './take-back.ts'

/** Revokes ids from their current owners; they rest as after a refund. */
export async function takeBackIds(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, emoji_ids: ids }: Decision,
) {
  const { db, ledger, emojiIds } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const loaded = await loadDispute(deps, trx, caller, id)
    const { order, dispute } = loaded
    rules.assertMayTakeBack(dispute)
    const all = await ledger.findDisputes(trx, [order.id])
    if (all.some(({ status }) => status === 'open')) throw rules.stillOpen()
    if (!ids) await takeBackBoxes(deps, trx, order)
    const chosenIds = rules.chooseFrozen(await emojiIds.lockIdsOfOrder(trx, order.id), ids)
    for (const ownedId of chosenIds) {
      assertNotMinted(ownedId)
      await releaseIds(deps, trx, ownedId, actor_id)
      await notifyTaken(deps, trx, ownedId, reason)
    }
    await markItemsRefunded(deps, trx, order)
    await decideDispute(deps, trx, loaded, 'taken_back', { actor_id, reason })
    await notifyBuyerOfDecision(deps, trx, order, 'taken_back', chosenIds)
    const emoji_ids = chosenIds.map(({ emoji_id }) => emoji_id)
    await auditDispute(deps, trx, 'order.dispute_taken_back', loaded, {
      actor_id,
      emoji_ids,
      reason,
    })
  })
  return showDispute(deps, id)
}

/** The current owners keep the ids, and the freeze ends. */
export async function leaveIds(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, emoji_ids: ids }: Decision,
) {
  const { db, lootboxSales, emojiIds } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const loaded = await loadDispute(deps, trx, caller, id)
    const { order, dispute } = loaded
    rules.assertMayLeave(dispute)
    if (!ids) await lootboxSales.setFrozen(trx, order.id, null)
    const chosenIds = rules.chooseFrozen(await emojiIds.lockIdsOfOrder(trx, order.id), ids)
    const emoji_ids = chosenIds.map(({ emoji_id }) => emoji_id)
    await emojiIds.setFrozen(trx, emoji_ids, null)
    await decideDispute(deps, trx, loaded, 'left', { actor_id, reason })
    await notifyBuyerOfDecision(deps, trx, order, 'left', chosenIds)
    await auditDispute(deps, trx, 'order.dispute_left', loaded, { actor_id, emoji_ids, reason })
  })
  return showDispute(deps, id)
}

/** The dispute is decided once nothing is frozen. */
async function decideDispute(
  deps: Deps,
  trx: Transaction,
  { order, dispute }: Awaited<ReturnType<typeof loadDispute>>,
  decision: NonNullable<DisputeRow['decision']>,
  { actor_id, reason }: { actor_id: string; reason: string },
) {
  const { now, ledger } = deps
  const awaits_decision = dispute.awaits_decision && (await isAnyFrozen(deps, trx, order))
  const decided = { decided_at: now(), decided_by: actor_id }
  const change = { decision, decision_reason: reason, ...decided, awaits_decision }
  await ledger.updateDispute(trx, dispute.id, change)
}

async function notifyTaken(
  { emojiIds, accounts, notifications }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  reason: string,
) {
  const letter = idTakenBack(toDisplayFormat(ownedId.emoji_id), reason)
  const news = { kind: 'dispute_taken', page: '/account', letter }
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  const users = people.length === 0 ? [] : await accounts.findAccounts(trx, people)
  for (const { id: user_id, email: to, deactivated_at } of users) {
    if (!to || deactivated_at) continue
    await notifications.queueMail(trx, { to, user_id, ...news })
  }
}

/** Emails the decision to the buyer, without revealing the current owner. */
async function notifyBuyerOfDecision(
  { accounts, notifications }: Deps,
  trx: Transaction,
  order: Order,
  decision: NonNullable<DisputeRow['decision']>,
  chosenIds: readonly OwnedId[],
) {
  const buyer = await accounts.findAccount(order.user_id, trx)
  // The owner of a revoked id gets a separate mail.
  const news = chosenIds.filter(({ user_id }) => decision === 'left' || user_id !== order.user_id)
  if (!buyer?.email || buyer.deleted_at || news.length === 0) return
  const emoji_ids = news.map(({ emoji_id }) => toDisplayFormat(emoji_id))
  await notifications.queueMail(trx, {
    to: buyer.email,
    user_id: buyer.id,
    page: `/orders/${order.id}`,
    kind: 'dispute_decided',
    letter: disputeDecided(orderNumber(order), decision, emoji_ids),
  })
}
