import { transact } from '../../../platform/database/database.ts'
import { readEmojiId } from '../../directory/emoji-ids/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as interests from './repository.ts'
import * as rules from './rules.ts'

/** Puts an id on the caller's watchlist. */
export async function registerInterest(
  { db, accounts, now }: Deps,
  { user_id }: Principal,
  text: string,
) {
  const id = readEmojiId(text)
  return transact(db, async (trx) => {
    await accounts.loadAccountToChange(trx, user_id)
    const owner = await interests.findOwner(trx, id)
    if (owner?.user_id === user_id) throw rules.ownId(id)
    const at = now()
    const dates = { created_at: at, updated_at: at, notified_at: null }
    const interest = await interests.insert(trx, { user_id, emoji_id: id, ...dates })
    if (!interest) throw rules.alreadyInterested(id)
    const count = await interests.countOf(trx, user_id)
    if (count > rules.interestsAtMost) throw rules.tooManyInterests()
    return interest
  })
}
