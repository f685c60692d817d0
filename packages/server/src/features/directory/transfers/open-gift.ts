import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { closeTransfer } from './close-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/** The token of an emailed gift link; codes are shorter. */
export const isGiftToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Shows an offer to the holder of its emailed link, signed in or not. Changes nothing. */
export async function previewGift(deps: Deps, token: string) {
  const { db, accounts } = deps
  const { transfer, user } = await findGift(deps, token)
  const sender = await accounts.findAccount(transfer.sender_id, db)
  return {
    transfer_id: transfer.id,
    eid: transfer.emoji_id,
    email: user.email,
    sender: rules.shownSender(transfer, sender),
    message: transfer.message,
    clear_on_transfer: transfer.clear_on_transfer,
    token_stays: (await transfers.findTokensElsewhere(db, [transfer.emoji_id], user.id)).size > 0,
    is_for_organization: transfer.organization_id !== null,
    user_id: user.id,
    is_new: rules.isNewcomer(user),
  }
}

/**
 * Sets the first password of a recipient who has no way to sign in yet, and signs them in. The link
 * proves the mailbox, so all earlier access is revoked. Returns a new token for the offer.
 */
export async function joinByGift<Opened>(
  deps: Deps,
  token: string,
  password: string,
  open: (trx: Transaction, user: User) => Promise<Opened>,
) {
  const { mailbox, links } = deps
  const { transfer, user } = await findGift(deps, token)
  if (!rules.isNewcomer(user)) throw rules.knownRecipient()
  return mailbox.setPasswordByGift(token, password, async (trx, claimed) => {
    const openedGift = await open(trx, claimed)
    const data = { email: claimed.email ?? '', transfer_id: transfer.id }
    return {
      opened: openedGift,
      token: (await links.issueLink(trx, 'gift', claimed.id, data)).token,
    }
  })
}

/** Declines without a sign-in: the sender keeps the id, so nothing is lost. */
export async function declineGift(deps: Deps, token: string): Promise<void> {
  const { db, links } = deps
  const { transfer, user } = await findGift(deps, token)
  await transact(db, async (trx) => {
    const current = await transfers.findToChange(trx, transfer.id)
    const link = await links.useLink(trx, 'gift', token)
    if (!link || current?.status !== 'awaiting_receiver') throw rules.expiredGift()
    await closeTransfer(deps, trx, current, 'declined', { actor_id: user.id })
  })
}

/** The open offer behind a link, while its recipient can accept it. */
async function findGift(deps: Deps, token: string) {
  const { db, links, accounts } = deps
  const link = await links.peekLink('gift', token)
  const transfer = link?.data.transfer_id && (await transfers.find(db, link.data.transfer_id))
  const user = link && (await accounts.findAccount(link.user_id))
  if (!transfer || !user || transfer.status !== 'awaiting_receiver') throw rules.expiredGift()
  const isSameMailbox = user.email?.toLowerCase() === link.data.email?.toLowerCase()
  const receivers = await transact(db, (trx) => findReceivers(deps, trx, transfer))
  const isReceiver = receivers.some(({ id }) => id === user.id)
  if (!isSameMailbox || !isReceiver || user.deactivated_at) throw rules.expiredGift()
  return { transfer, user }
}
