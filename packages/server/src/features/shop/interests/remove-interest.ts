import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { readEmojiId } from '../../directory/emoji-ids/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as interests from './repository.ts'
import * as rules from './rules.ts'

export async function removeInterestsOfUser(trx: Transaction, user_id: string) {
  await interests.removeOfUser(trx, user_id)
}

export async function removeInterest({ db }: Deps, { user_id }: Principal, text: string) {
  const id = readEmojiId(text)
  return transact(db, async (trx) => {
    const removedInterest = await interests.remove(trx, user_id, id)
    if (!removedInterest) throw rules.unknownInterest(id)
    return removedInterest
  })
}

/** Returns the id of an unsubscribe link without using the link. */
export async function previewUnsubscribe(
  { links }: Deps,
  token: string,
): Promise<{ emoji_id: string }> {
  const { emoji_id } = (await links.peekLink('end_interest', token))?.data ?? {}
  if (!emoji_id) throw rules.expiredLink()
  return { emoji_id }
}

/** Removes the interest that the email was about, if it is still there. */
export async function unsubscribe({ db, accounts }: Deps, token: string): Promise<string> {
  return transact(db, async (trx) => {
    const result = await accounts.followLink(trx, 'end_interest', token)
    const emoji_id = result?.link.data.emoji_id
    if (!emoji_id) throw rules.expiredLink()
    await interests.remove(trx, result.user.id, emoji_id)
    return emoji_id
  })
}
