import { toDisplayFormat } from '@emojid/core'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import type { Deps } from './deps.ts'
import { type NewRow, readContents } from './mail-new-owner.ts'
import * as rules from './rules.ts'

/**
 * Emails a new code to all users of the side. A recipient also gets a link that replaces it. Users
 * without an email address use a code of their authenticator app.
 */
export async function sendCode(
  deps: Deps,
  trx: Transaction,
  transfer: NewRow,
  side: rules.Side,
  users: readonly User[],
) {
  const { now, webUrl, notifications, codeKey } = deps
  const recipients = users.flatMap((user) => (user.email ? { ...user, email: user.email } : []))
  if (recipients.length === 0) return { code_hmac: null, code_sent_at: null }
  // A deactivated user gets no email, and no code is valid.
  const active = recipients.filter(({ deactivated_at }) => !deactivated_at)
  if (active.length === 0) return { code_hmac: null, code_sent_at: now() }
  const { id, emoji_id, email, pubkey } = transfer
  const code = rules.makeCode()
  const params = {
    emoji_id: toDisplayFormat(emoji_id),
    code,
    valid_minutes: rules.codeLastsMs[side] / minuteMs,
  }
  const offer = side === 'receiver' ? await describeOffer(deps, trx, transfer) : undefined
  for (const user of active) {
    await notifications.queueMail(trx, {
      to: user.email,
      user_id: user.id,
      about: rules.subjectOf(transfer),
      template: 'transfer_code',
      params: offer
        ? { ...params, ...offer, ...(await giftFor(deps, trx, transfer, user)) }
        : { ...params, link: transfersPage(webUrl), receiver: email || `the key ${pubkey}` },
    })
  }
  return { code_hmac: rules.codeHmac(codeKey, id, side, code), code_sent_at: now() }
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
  { id, email, email_verified_at }: User & { email: string },
) {
  await links.voidGiftLinks(trx, id, transfer_id)
  const { token } = await links.issueLink(trx, 'gift', id, { email, transfer_id })
  return {
    link: `${webUrl}/gift#${token}`,
    ...(email_verified_at ? {} : { is_new: true as const }),
  }
}

/** The page asks visitors to sign in and then returns them here. */
const transfersPage = (webUrl: string) => `${webUrl}/account/transfers`
