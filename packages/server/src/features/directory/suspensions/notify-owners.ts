import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Emails the people behind the ids. */
export async function notifyOwners(
  { accounts, notifications, appealsEmail }: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  people: readonly string[],
  { isSuspended, reason }: { isSuspended: boolean; reason: string },
): Promise<void> {
  if (people.length === 0) return
  const template = isSuspended ? 'ids_suspended' : 'ids_restored'
  const params = { emoji_ids: rules.nameIds(ownedIds), reason, appeals: appealsEmail }
  for (const user of await accounts.findAccounts(trx, people)) {
    for (const { to, user_id } of await accounts.mailboxesFor(trx, user)) {
      await notifications.queueMail(trx, { to, user_id, template, params })
    }
  }
}
