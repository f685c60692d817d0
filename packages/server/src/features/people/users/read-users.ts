import { toPage } from '../../../platform/http/api/paging.ts'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { type Principal, unknownUser } from '../../operations/access/access.ts'
import * as users from './repository.ts'
import type { UserQuery } from './schema.ts'
import type { Deps } from './users.ts'

export async function listUsers(deps: Deps, query: UserQuery) {
  const { db, accounts } = deps
  const { emoji_id: text } = query
  const filter = text === undefined ? query : { ...query, emoji_id: readEmojiId(text) }
  const { rows, total } = await users.findPage(db, filter)
  const views = await accounts.showAccounts(rows)
  return toPage(await extendUsers(deps, views), total, query)
}

export async function showUser(deps: Deps, caller: Principal, id: string) {
  if (id !== caller.user_id && !caller.scopes.has('user:show')) throw unknownUser()
  const { db, accounts, recovery, removals } = deps
  const account = await accounts.loadAccount(id)
  const { activation_source, deleted_at } = account
  const is_removed = await removals.isPersonRemoved(db, id)
  const [user] = await extendUsers(deps, [await accounts.showAccount(account)])
  const second_factor_recovery = await recovery.findPendingRecovery(id)
  const pending_email = await accounts.findPendingEmail(id)
  const former_emails = await accounts.findFormerEmails(account)
  const view = user as NonNullable<typeof user>
  return {
    ...view,
    pending_email,
    former_emails,
    activation_source,
    second_factor_recovery,
    deleted_at,
    is_removed,
  }
}

async function extendUsers<User extends { id: string }>(
  { emojiIds }: Deps,
  users: readonly User[],
) {
  const ids = await emojiIds.findDisplayedIds(users.map(({ id }) => id))
  return users.map((user) => ({ ...user, emoji_ids: ids.get(user.id) ?? [] }))
}
