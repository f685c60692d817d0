import { toDisplayFormat } from '@emojid/core'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { type NewRow, readContents } from './mail-new-owner.ts'
import { senderCode, transferOffer } from './mails.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/**
 * Emails a new code to all users of the side. A recipient also gets a link that replaces it. Users
 * without an email address only get a notification of an offer.
 */
export async function sendCode(
  deps: Deps,
  trx: Transaction,
  transfer: NewRow,
  side: rules.Side,
  users: readonly User[],
) {
  const { now, webUrl, notifications, codeKey } = deps
  // A deactivated user gets no email, and no code is valid.
  const active = users.filter(({ deactivated_at }) => !deactivated_at)
  const { id, emoji_id, email, pubkey } = transfer
  const code = rules.makeCode()
  const params = {
    emoji_id: toDisplayFormat(emoji_id),
    code,
    valid_minutes: rules.codeLastsMs[side] / minuteMs,
  }
  const kind = 'transfer_code'
  const offer = side === 'receiver' ? await describeOffer(deps, trx, transfer) : undefined
  for (const user of active) {
    const { id: user_id, email: to } = user
    if (offer) {
      const gift = await giftFor(deps, trx, transfer, user)
      const letter = transferOffer({ ...params, ...offer, ...gift })
      const about = rules.subjectOf(transfer)
      await notifications.queueMail(trx, { to, user_id, kind, page: transfersPage, about, letter })
    } else if (to !== null) {
      // The sender is about to enter the code: no notification.
      const [link, receiver] = [`${webUrl}${transfersPage}`, email || `the key ${pubkey}`]
      const letter = senderCode({ ...params, link, receiver })
      await notifications.queueMail(trx, { to, kind, silent: true, letter })
    }
  }
  const isMailed = active.some((user) => user.email !== null)
  const code_hmac = isMailed ? rules.codeHmac(codeKey, id, side, code) : null
  return { code_hmac, code_sent_at: now() }
}

/** The part of the email that describes the offer. */
async function describeOffer(deps: Deps, trx: Transaction, transfer: NewRow) {
  const { sender_id, message, organization_id } = transfer
  const from = rules.shownSender(transfer, await deps.accounts.findAccount(sender_id, trx))
  return {
    luggage: await readContents(deps, trx, transfer),
    ...(from ? { from } : {}),
    ...(message ? { message } : {}),
    ...(organization_id ? { is_organization: true as const } : {}),
  }
}

/**
 * The token is in the fragment, which browsers send to no server. It proves the mailbox as the code
 * does.
 */
async function giftFor(
  { links, webUrl }: Deps,
  trx: Transaction,
  { id: transfer_id }: NewRow,
  { id, email, email_verified_at }: User,
) {
  if (email === null) return { link: `${webUrl}${transfersPage}`, code: null }
  await links.voidGiftLinks(trx, id, transfer_id)
  const { token } = await links.issueLink(trx, 'gift', id, { email, transfer_id })
  return {
    link: `${webUrl}/gift#${token}`,
    ...(email_verified_at ? {} : { is_new: true as const }),
  }
}

/** The page asks visitors to sign in and then returns them here. */
const transfersPage = '/account/transfers'
