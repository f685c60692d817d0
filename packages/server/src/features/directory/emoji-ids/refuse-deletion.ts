import type { Transaction } from '../../../tables.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'

/** An account that owns ids is not deleted. */
export async function refuseDeletionOfOwner(
  { appealsEmail }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  const ownedIds = await ids.findOf(trx, { user_id })
  if (ownedIds.some(({ suspended_at }) => suspended_at))
    throw rules.stillOwnsSuspended(appealsEmail)
  if (ownedIds.length > 0) throw rules.stillOwns(ownedIds.length)
}
