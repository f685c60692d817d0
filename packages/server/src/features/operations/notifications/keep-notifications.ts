import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as notifications from './repository.ts'
import * as rules from './rules.ts'

type NewNotification = NonNullable<ReturnType<typeof rules.notificationOf>>

/** Adds a notification and removes the oldest ones beyond the limit of the account. */
export const addNotification = (
  { now }: Deps,
  trx: Transaction,
  notification: Omit<NewNotification, 'kind'> & { kind: string },
): Promise<void> =>
  notifications.insertNotification(
    trx,
    { ...notification, created_at: now(), read_at: null },
    rules.notificationsAtMost,
  )

/**
 * Notifies of a sign-in from a new browser. An unread one is replaced, so that many sign-ins do not
 * push out other notifications.
 */
export async function notifyOfSignIn(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  const notification = rules.signInNotification(user_id)
  await notifications.removeUnread(trx, user_id, notification.kind)
  await addNotification(deps, trx, notification)
}

export const removeNotifications = notifications.removeNotifications

export async function purgeNotifications({ db, now }: Deps): Promise<void> {
  await notifications.deleteNotificationsBefore(
    db,
    new Date(now().getTime() - rules.notificationsKeptMs),
  )
  await notifications.deleteNotificationsOfDeleted(db)
}
