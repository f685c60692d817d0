import { transact } from '../../../platform/database/database.ts'
import { holdCaller, type Principal } from '../access/index.ts'
import type { Deps } from './notifications.ts'
import * as notifications from './repository.ts'
import { type NotificationQuery, notificationsPerPage } from './schema.ts'

/** The newest notifications of the caller, or those before a given one. */
export async function listNotifications(
  { db }: Deps,
  { user_id }: Principal,
  query: NotificationQuery,
) {
  const limit = Math.min(query.limit, notificationsPerPage)
  const [rows, unread] = await Promise.all([
    notifications.findNotifications(db, user_id, { before: query.before, limit: limit + 1 }),
    notifications.countUnread(db, user_id),
  ])
  const page = rows.slice(0, limit)
  return {
    data: page,
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    unread,
  }
}

export const countUnread = ({ db }: Deps, user_id: string): Promise<number> =>
  notifications.countUnread(db, user_id)

/** Marks a notification and all older ones as read: newer ones have not been seen. */
export function markRead({ db, now }: Deps, caller: Principal, up_to: string) {
  return transact(db, async (trx) => {
    await holdCaller(trx, caller)
    await notifications.markRead(trx, caller.user_id, up_to, now())
    return { unread: await notifications.countUnread(trx, caller.user_id) }
  })
}
