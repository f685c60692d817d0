import { toDisplayFormat } from '@emojid/core'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import type { Deps } from './deps.ts'
import { type NewRow, readContents } from './mail-new-owner.ts'
import * as rules from './rules.ts'

/**
 * Mails a new code to all users of the side. Users without an email address use a code of their
 * authenticator app.
 */
export async function sendCode(
  deps: Deps,
  trx: Transaction,
  transfer: NewRow,
  side: rules.Side,
  users: readonly User[],
) {
  const { now, webUrl, notifications, codeKey } = deps
  const mailed = users.flatMap(({ email, deactivated_at }) =>
    email ? { email, deactivated_at } : [],
  )
  if (mailed.length === 0) return { code_hmac: null, code_sent_at: null }
  // A deactivated user gets no mail, and no code is valid.
  const active = mailed.filter(({ deactivated_at }) => !deactivated_at)
  if (active.length === 0) return { code_hmac: null, code_sent_at: now() }
  const { id, emoji_id, email, pubkey, organization_id } = transfer
  const code = rules.makeCode()
  const params = {
    emoji_id: toDisplayFormat(emoji_id),
    code,
    link: transfersPage(webUrl),
    ...(side === 'sender'
      ? { receiver: email || `the key ${pubkey}` }
      : {
          luggage: await readContents(deps, trx, transfer),
          ...(organization_id ? { is_organization: true as const } : {}),
        }),
    valid_minutes: rules.codeLastsMs / minuteMs,
  }
  for (const { email: to } of active) {
    await notifications.queueMail(trx, { to, template: 'transfer_code', params })
  }
  return { code_hmac: rules.codeHmac(codeKey, id, side, code), code_sent_at: now() }
}

/** The page asks visitors to sign in and then returns them here. */
export const transfersPage = (webUrl: string) => `${webUrl}/account/transfers`
