import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './notifications.ts'
import * as notifications from './repository.ts'
import * as rules from './rules.ts'

type NewNotification = NonNullable<ReturnType<typeof rules.notificationOf>>

/**
 * Adds a notification and removes the oldest ones beyond the limit of the account. It replaces an
 * unread one about the same subject, so that repetitions do not push out other notifications.
 */
export async function addNotification(
  { now }: Deps,
  trx: Transaction,
  notification: Omit<NewNotification, 'kind'> & { kind: string },
): Promise<void> {
  const { user_id, subject } = notification
  if (subject) await notifications.removeUnread(trx, user_id, subject)
  const row = { ...notification, created_at: now(), read_at: null }
  await notifications.insertNotification(trx, row, {
    atMost: rules.notificationsAtMost,
    kindsFirst: rules.kindsOfStrangers,
  })
}

/** Notifies of a sign-in from a new browser. */
export const notifyOfSignIn = (deps: Deps, trx: Transaction, user_id: string): Promise<void> =>
  addNotification(deps, trx, rules.signInNotification(user_id))

export const removeNotifications = notifications.removeNotifications

export async function purgeNotifications(db: Database, at: Date): Promise<void> {
  await notifications.deleteNotificationsBefore(
    db,
    new Date(at.getTime() - rules.notificationsKeptMs),
  )
  await notifications.deleteNotificationsOfDeleted(db)
}
