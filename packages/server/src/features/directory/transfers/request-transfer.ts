import { randomUUID } from 'node:crypto'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import {
  assertActive,
  assertCanLeave,
  assertNotBlocked,
  assertOwns,
  readEmojiId,
} from '../emoji-ids/emoji-ids.ts'
import { assertTokenKnown } from './accept-transfer.ts'
import { auditTransfer } from './audit-transfer.ts'
import { findRecipient } from './find-recipient.ts'
import { forceTransfer } from './force-transfer.ts'
import type { NewRow } from './mail-new-owner.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { NewTransfer } from './schema.ts'
import { sendCode } from './send-code.ts'
import type { Deps } from './transfers.ts'

export async function requestTransfer(deps: Deps, caller: Principal, body: NewTransfer) {
  const { db, emojiIds, removals, now, recipientKey } = deps
  const viewer = { recipientKey, caller }
  const emoji_id = readEmojiId(body.eid)
  const to = rules.readAddressee(body)
  const message = rules.readMessage(body.message)
  const isForced = rules.mayForce(caller, body)
  const reason = isForced ? rules.readReason(body) : undefined
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, emoji_id)
    if (!isForced) assertOwns(caller, ownedId)
    if (!isForced) assertNotBlocked(ownedId, now(), 'eid')
    emojiIds.assertChangeable(ownedId)
    assertCanLeave(ownedId, now(), 'eid')
    const sender_id = isForced ? (ownedId.user_id ?? caller.user_id) : caller.user_id
    const { user, isNew, organization_id } = await findRecipient(deps, trx, caller, to)
    const isOwn = user
      ? [sender_id, ownedId.user_id].includes(user.id)
      : ownedId.organization_id === organization_id
    if (isOwn) throw rules.toSelf(to)
    const { sender, recipient } = await lockSenderAndRecipient(deps, trx, sender_id, user?.id)
    await holdCaller(trx, caller)
    if (user) rules.assertMayReceive({ email: to.email ?? '' }, recipient)
    const row = {
      id: randomUUID(),
      emoji_id,
      sender_id,
      recipient_id: user?.id ?? null,
      organization_id,
      message,
      shows_sender: body.show_sender === true,
      email: to.email ?? '',
      pubkey: to.pubkey?.toLowerCase() ?? null,
      clear_on_transfer: body.clear_on_transfer === true,
      created_at: now(),
      sender_code_accepted_at: null,
      accepted_at: null,
      deleted_at: null,
    }
    if (!isForced)
      return rules.show(
        viewer,
        await beginTransfer(deps, trx, row, { sender: sender as User, recipient }),
      )
    if (user) {
      assertActive(recipient)
      await removals.assertMayGive(trx, recipient, body.reason)
    } else await emojiIds.assertMayGiveTo(trx, organization_id, body.reason)
    if (recipient && to.email && !isNew) rules.assertConfirmed(recipient)
    const isConfirmed = body.without_token === true && body.reason !== undefined
    const token = await assertTokenKnown(trx, row, user?.id ?? null, isConfirmed)
    const by = { actor_id: caller.user_id, reason, ...token }
    return rules.show(
      viewer,
      await forceTransfer(deps, trx, row, { owned: ownedId, recipient, isNew }, by),
    )
  })
}

/** Locks in the order of ids, so that two users who send to each other cannot deadlock. */
async function lockSenderAndRecipient(
  { accounts }: Deps,
  trx: Transaction,
  sender_id: string,
  recipient_id: string | undefined,
) {
  const locked = new Map<string | undefined, User | undefined>()
  for (const id of [sender_id, ...(recipient_id ? [recipient_id] : [])].sort()) {
    locked.set(id, await accounts.findAccountToChange(trx, id))
  }
  return { sender: locked.get(sender_id), recipient: locked.get(recipient_id) }
}

async function assertMayInvite({ now }: Deps, trx: Transaction, email: string) {
  const since = new Date(now().getTime() - rules.invitedWithinMs)
  if ((await transfers.countTo(trx, email, since)) >= rules.invitedAtMost)
    throw rules.tooManyInvited()
}

const countSentTo = async (trx: Transaction, { email, organization_id }: NewRow, since: Date) => {
  if (email) return transfers.countTo(trx, email, since)
  return organization_id ? transfers.countToOrganization(trx, organization_id, since) : 0
}

async function beginTransfer(
  deps: Deps,
  trx: Transaction,
  row: NewRow,
  { sender, recipient }: { sender: User; recipient: User | undefined },
) {
  const { now, accounts } = deps
  rules.proofOf(sender)
  await accounts.assertSettledMailbox(trx, sender.id)
  const since = new Date(now().getTime() - rules.begunWithinMs)
  const recentCount = await transfers.countBegun(trx, sender.id, since)
  if (recentCount >= rules.begunAtMost) throw rules.tooMany()
  if ((await countSentTo(trx, row, since)) >= rules.begunToAtMost) throw rules.tooManyTo()
  const endedSince = new Date(now().getTime() - rules.endedWithinMs)
  if ((await transfers.countEnded(trx, row, endedSince)) >= rules.endedAtMost)
    throw rules.tooManyEnded()
  if (row.email && !recipient?.email_verified_at) await assertMayInvite(deps, trx, row.email)
  const code = await sendCode(deps, trx, row, 'sender', [sender])
  const newTransfer = await transfers.insert(trx, { ...row, ...code, status: 'awaiting_sender' })
  if (!newTransfer) throw rules.alreadyOpen()
  await auditTransfer(deps, trx, 'transfer.requested', newTransfer, { actor_id: sender.id })
  return newTransfer
}
