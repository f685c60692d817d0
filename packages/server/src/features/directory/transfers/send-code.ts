import { toDisplayFormat } from '@emojid/core'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import type { Deps } from './deps.ts'
import { type NewRow, readContents } from './mail-new-owner.ts'
import * as rules from './rules.ts'

/** Mails a new code. Users without an email address use a code of their authenticator app. */
export async function sendCode(
  deps: Deps,
  trx: Transaction,
  transfer: NewRow,
  side: rules.Side,
  user: User,
) {
  const { now, webUrl, notifications, codeKey } = deps
  if (!user.email) return { code_hmac: null, code_sent_at: null }
  // A deactivated user gets no mail, and no code is valid.
  if (user.deactivated_at) return { code_hmac: null, code_sent_at: now() }
  const { id, emoji_id, email, pubkey } = transfer
  const code = rules.makeCode()
  const params = {
    emoji_id: toDisplayFormat(emoji_id),
    code,
    link: transfersPage(webUrl),
    ...(side === 'sender'
      ? { receiver: email || `the key ${pubkey}` }
      : { luggage: await readContents(deps, trx, transfer) }),
    valid_minutes: rules.codeLastsMs / minuteMs,
  }
  await notifications.queueMail(trx, { to: user.email, template: 'transfer_code', params })
  return { code_hmac: rules.codeHmac(codeKey, id, side, code), code_sent_at: now() }
}

/** The page asks visitors to sign in and then returns them here. */
export const transfersPage = (webUrl: string) => `${webUrl}/account/transfers`
