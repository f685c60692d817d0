import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { isAddress, nameAddress } from '../records/records.ts'
import { mailRecipient } from './mail-transfer-news.ts'
import { findTokensElsewhere, type Transfer } from './repository.ts'
import type { Deps } from './transfers.ts'

export type NewRow = Omit<Transfer, 'status' | 'code_hmac' | 'code_sent_at' | 'tries'>

/** Counts the records that move with the id, lists its payment addresses, and names a token left behind. */
export async function readContents(
  { records }: Deps,
  trx: Transaction,
  { emoji_id, clear_on_transfer, recipient_id }: NewRow,
) {
  const isTokenLeft = (await findTokensElsewhere(trx, [emoji_id], recipient_id)).size > 0
  const token = isTokenLeft ? { token_stays: true as const } : {}
  if (clear_on_transfer) return { records: 0, addresses: [], ...token }
  const { records: all } = await records.loadRecords(trx, emoji_id as EmojiId)
  const addresses = [...new Set(all.filter(isAddress).map(nameAddress))]
  return { records: all.length, addresses, ...token }
}

export async function mailNewOwner(
  deps: Deps,
  trx: Transaction,
  transfer: Transfer,
  receivers: readonly User[],
  how: { by: 'sender' | 'operator'; is_new: boolean },
) {
  const { webUrl } = deps
  const contents = await readContents(deps, trx, transfer)
  const organization = transfer.organization_id ? { is_organization: true as const } : {}
  const mailData = { ...how, ...organization, luggage: contents, link: `${webUrl}/account` }
  for (const user of receivers) await mailRecipient(deps, trx, user, transfer, mailData)
}
