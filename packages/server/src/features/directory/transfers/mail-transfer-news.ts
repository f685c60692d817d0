import { toDisplayFormat } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { idPage, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import * as mails from './mails.ts'
import type { Transfer } from './repository.ts'
import { subjectOf } from './rules.ts'
import type { Deps } from './transfers.ts'

export async function mailTransferNews(
  { notifications, accounts }: Deps,
  trx: Transaction,
  user: User,
  transfer: Transfer,
  sentence: string,
) {
  if (user.deactivated_at) return
  const letter = mails.transferNews(toDisplayFormat(transfer.emoji_id), sentence)
  const news = { kind: 'transfer_news', page: '/account/transfers', about: subjectOf(transfer) }
  // Strangers cause these emails, so they do not use up the notices of an unconfirmed mailbox.
  const mailboxes = user.email_verified_at
    ? await accounts.mailboxesFor(trx, user)
    : [{ to: user.email, user_id: user.id }]
  for (const { to, user_id } of mailboxes) {
    await notifications.queueMail(trx, { to, user_id, ...news, letter })
  }
}

/** Emails the other members of the organization, who can still cancel the transfer. */
export async function mailColleagues(
  deps: Deps,
  trx: Transaction,
  transfer: Transfer,
  ownedId: OwnedId,
) {
  const { emojiIds, accounts } = deps
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  const emoji_id = toDisplayFormat(transfer.emoji_id)
  const sentence = `Another member of your organization is transferring the emoji id ${emoji_id}. Until the recipient accepts it, you can cancel the transfer ${transfer.id}.`
  for (const user of await accounts.findAccounts(trx, people)) {
    if (user.id !== transfer.sender_id) await mailTransferNews(deps, trx, user, transfer, sentence)
  }
}

export async function mailRecipient(
  { notifications }: Deps,
  trx: Transaction,
  user: User,
  transfer: Transfer,
  details: mails.ReceivedDetails,
) {
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: idPage(transfer.emoji_id),
    kind: 'transfer_received',
    letter: mails.transferReceived(toDisplayFormat(transfer.emoji_id), details),
  })
}

export async function mailSender(
  { accounts }: Deps,
  trx: Transaction,
  sender: User,
  transfer: Transfer,
) {
  const emoji_id = toDisplayFormat(transfer.emoji_id)
  const sentence = `You transferred the emoji id ${emoji_id}. It now belongs to the recipient.`
  await accounts.notifyAccount(
    trx,
    sender,
    `${emoji_id} is no longer yours`,
    sentence,
    '/account/transfers',
  )
}

/** Emails the owners of an id that an operator transferred. */
export async function mailFormerOwners(
  { accounts, notifications }: Deps,
  trx: Transaction,
  people: readonly string[],
  transfer: Transfer,
) {
  const letter = mails.transferForced(toDisplayFormat(transfer.emoji_id))
  const news = { kind: 'transfer_forced', page: '/account', letter }
  for (const user of await accounts.findAccounts(trx, people)) {
    const { id: user_id, email: to, deactivated_at } = user
    if (deactivated_at) continue
    await notifications.queueMail(trx, { to, user_id, ...news })
  }
}
