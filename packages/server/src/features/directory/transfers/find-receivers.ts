import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import type { Transfer } from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/** The users who may accept a transfer: its recipient, or the power roles of its organization. */
export async function findReceivers(
  { accounts, emojiIds }: Deps,
  trx: Transaction,
  { recipient_id: user_id, organization_id }: Pick<Transfer, 'recipient_id' | 'organization_id'>,
): Promise<User[]> {
  const people = await emojiIds.findPeopleBehind(trx, { user_id, organization_id })
  const users = people.length === 0 ? [] : await accounts.findAccounts(trx, people)
  // A member may have registered with a foreign address.
  return organization_id === null ? users : users.filter(rules.isVisibleTo)
}
