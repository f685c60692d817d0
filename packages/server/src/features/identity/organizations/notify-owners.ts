import type { Transaction } from '../../../tables.ts'
import type { Deps } from './organizations.ts'
import * as organizations from './repository.ts'

/** Emails the active owners of an organization. */
export async function notifyOwners(
  { accounts }: Deps,
  trx: Transaction,
  id: string,
  title: string,
  sentence: string,
  page?: string,
) {
  const members = await organizations.findActiveMembers(trx, id)
  const owners = members.filter(({ role }) => role === 'OrgOwner')
  const owner_ids = owners.map(({ user_id }) => user_id)
  for (const user of await accounts.findAccounts(trx, owner_ids)) {
    await accounts.notifyAccount(trx, user, title, sentence, page)
  }
}
