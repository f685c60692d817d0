import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import { isAddress, nameAddress } from '../records/index.ts'
import type { Deps } from './deps.ts'
import { mailRecipient } from './mail-transfer-news.ts'
import type { Transfer } from './table.ts'

export type NewRow = Omit<Transfer, 'status' | 'code_hmac' | 'code_sent_at' | 'tries'>

/** Counts the records that move with the id, and lists its payment addresses. */
export async function readContents(
  { records }: Deps,
  trx: Transaction,
  { emoji_id, clear_on_transfer }: NewRow,
) {
  if (clear_on_transfer) return { records: 0, addresses: [] }
  const { records: all } = await records.loadRecords(trx, emoji_id as EmojiId)
  return { records: all.length, addresses: [...new Set(all.filter(isAddress).map(nameAddress))] }
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
