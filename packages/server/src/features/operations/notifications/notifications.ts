import { randomUUID } from 'node:crypto'
import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { SiteLinks } from '../../../platform/http/pages/links.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Log } from '../../../platform/log/log.ts'
import { assertMailAddress, mailboxOf } from '../../../platform/mail/address.ts'
import { DeliveryError } from '../../../platform/mail/delivery.ts'
import { writeLetter } from '../../../platform/mail/letter.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import { serviceName } from '../../../platform/mail/phrases.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../access/access.ts'
import * as repository from './repository.ts'
import type { NotificationQuery } from './routes.ts'
import type { Mail, Sms } from './rules.ts'
import * as rules from './rules.ts'

export { assertPhoneNumber, isCounted, type Mail, type Sms } from './rules.ts'

export type Deps = {
  db: Database
  sealer: Sealer
  /** Without `sms`, text messages cannot be queued. */
  transports: { mail: MailTransport; sms?: SmsTransport | undefined }
  /** Pages of the operator that every email links to. */
  links: SiteLinks
  now: () => Date
  log: Log
}

export type Notifications = ReturnType<typeof createNotifications>

/**
 * Emails and text messages: queued in the transaction of their cause, sent by a job, then removed.
 * The notification centre of each account shows the events behind its emails.
 */
export function createNotifications(deps: Deps) {
  const { transports } = deps

  return {
    ...bindUseCases(deps, {
      queueMail,
      countUnconfirmedNotice,
      queueSms,
      sendMessage,
      dropMessage,
      notifyOfSignIn,
      listNotifications,
      countUnread,
      markRead,
    }),
    /** Whether this service can send text messages. */
    canSendSms: transports.sms !== undefined,
    removeNotifications: repository.removeNotifications,
  }
}

/**
 * Queues a finished email. An email about an event also becomes a notification of the account, in the
 * same transaction, so that the two never disagree. An account without an address gets that alone.
 */
async function queueMail(deps: Deps, trx: Transaction, mail: Mail): Promise<void> {
  const { now, links } = deps
  const { to, kind, letter } = mail
  if (to !== null) assertMailAddress(to)
  const event = rules.notificationOf(mail)
  const notification = event && (await makeRoom(deps, trx, event))
  if (to !== null) {
    const content = { to, ...writeLetter(letter, { from: serviceName, links }) }
    const end = rules.giveUpMail(now())
    await queueMessage(deps, trx, { channel: 'mail', kind, content, end, notification })
  } else if (notification) {
    await repository.insertNotification(trx, notification.row, notification.room)
  }
}

const jobOptions = {
  /** More attempts than the queue's back-off fits into the retry period of an email. */
  max_attempts: 25,
  /** Lowest priority, so that a slow mail server does not delay other jobs. */
  priority: 10,
}

type Queued = {
  channel: 'mail' | 'sms'
  kind: string
  content: object
  end: Date
  notification?: Awaited<ReturnType<typeof makeRoom>> | undefined
}

async function queueMessage({ now, sealer }: Deps, trx: Transaction, queued: Queued) {
  const { channel, kind, content, end: give_up_at, notification } = queued
  const id = randomUUID()
  const sealed = sealer.seal(JSON.stringify(content), sealContext(id))
  const message = { id, channel, kind, created_at: now(), give_up_at, sealed }
  await repository.insertMessage(trx, message, { task: sendTask, ...jobOptions }, notification)
}

async function queueSms(deps: Deps, trx: Transaction, sms: Sms): Promise<void> {
  const { transports, now } = deps
  if (!transports.sms) throw rules.unavailableSms()
  const { to, kind, text, valid_minutes } = sms
  rules.assertPhoneNumber(to)
  const end = rules.giveUpSms(valid_minutes, now())
  await queueMessage(deps, trx, { channel: 'sms', kind, content: { to, text }, end })
}

/** Throws if a later attempt may succeed; then the job is retried. */
async function sendMessage(deps: Deps, id: string): Promise<void> {
  const { db, now, log } = deps
  const message = await repository.beginAttempt(db, id)
  if (!message?.sealed) return
  const end = (status: 'sent' | 'failed', last_error: string | null = null) =>
    repository.finish(db, id, { status, last_error, finished_at: now() })
  const giveUp = (reason: string) => {
    log.warn({ message: id, channel: message.channel, reason }, 'Gave up on a message')
    return end('failed', reason)
  }
  if (now() > message.give_up_at) return giveUp(tooLate)
  try {
    await deliverMessage(deps, id, message.channel, message.sealed, message.created_at)
  } catch (error) {
    const { reason, isFinal } = DeliveryError.from(error)
    if (isFinal) return giveUp(reason)
    await repository.noteFault(db, id, reason)
    throw error
  }
  return end('sent')
}

async function deliverMessage(
  { sealer, transports }: Deps,
  id: string,
  channel: 'mail' | 'sms',
  sealedText: string,
  at: Date,
) {
  const content = JSON.parse(sealer.open(sealedText, sealContext(id)).toString())
  if (channel === 'mail') return transports.mail.send({ id, at, ...content })
  if (!transports.sms) throw new DeliveryError('sms_unavailable')
  return transports.sms.send({ id, at, ...content })
}

const tooLate = 'too_late'

/** Marks a message as failed after an operator removed its job. */
function dropMessage({ now }: Deps, trx: Transaction, id: string) {
  return repository.finish(trx, id, { status: 'failed', last_error: 'removed', finished_at: now() })
}

/**
 * Counts a notice to an unconfirmed mailbox; returns false over the limit. The mailbox may belong
 * to a stranger, whom an attacker could flood with emails. Reports and invitations have counters of
 * their own, so that they cannot use up the notices of an account.
 */
async function countUnconfirmedNotice(
  { now }: Deps,
  trx: Transaction,
  email: string,
  purpose: 'notice' | 'report' | 'invitation' = 'notice',
): Promise<boolean> {
  const at = now()
  const begin = new Date(at.getTime() - rules.unconfirmedWithinMs)
  const prefix = purpose === 'notice' ? '' : `${purpose} `
  const mailbox = sha256(`${prefix}mailbox ${mailboxOf(email)}`)
  const atMost = rules.unconfirmedAtMost
  if (!(await repository.countNotice(trx, mailbox, { at, begin, atMost }))) return false
  const network = currentNetwork()
  if (!rules.isCounted(network)) return true
  const limit = { at, begin, atMost: rules.unconfirmedOfNetworkAtMost }
  if (await repository.countNotice(trx, sha256(`${prefix}network ${network}`), limit)) return true
  // A network over its limit must not use up the limit of the mailbox.
  await repository.uncountNotice(trx, mailbox)
  return false
}

/**
 * A notification to insert, and how many the account keeps. It replaces an unread one about the same
 * subject, so that repetitions do not push out other notifications.
 */
async function makeRoom({ now }: Deps, trx: Transaction, notification: rules.NewNotification) {
  const { user_id, subject } = notification
  if (subject) await repository.removeUnread(trx, user_id, subject)
  const room = { atMost: rules.notificationsAtMost, kindsFirst: rules.kindsOfStrangers }
  return { row: { ...notification, created_at: now() }, room }
}

/** Notifies of a sign-in from a new browser. */
async function notifyOfSignIn(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  const { row, room } = await makeRoom(deps, trx, rules.signInNotification(user_id))
  await repository.insertNotification(trx, row, room)
}

/** The newest notifications of the caller, or those before a given one. */
async function listNotifications({ db }: Deps, { user_id }: Principal, query: NotificationQuery) {
  const limit = Math.min(query.limit, rules.notificationsPerPage)
  const [rows, unread] = await Promise.all([
    repository.findNotifications(db, user_id, { before: query.before, limit: limit + 1 }),
    repository.countUnread(db, user_id),
  ])
  const page = rows.slice(0, limit)
  return {
    data: page,
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    unread,
  }
}

const countUnread = ({ db }: Deps, user_id: string): Promise<number> =>
  repository.countUnread(db, user_id)

/** Marks a notification and all older ones as read: newer ones have not been seen. */
function markRead({ db, now }: Deps, caller: Principal, up_to: string) {
  return transact(db, async (trx) => {
    await holdCaller(trx, caller)
    await repository.markRead(trx, caller.user_id, up_to, now())
    return { unread: await repository.countUnread(trx, caller.user_id) }
  })
}

const sendTask = 'notifications.send'

export const notificationJobs = (notifications: Notifications): JobModule => ({
  tasks: { [sendTask]: (payload) => notifications.sendMessage(idOf(payload)) },
})

/** Removing a send job also removes the content of its message. */
export const notificationTaskRules = (notifications: Notifications) => ({
  [sendTask]: {
    /** For the audit log, without recipient and content. */
    about: async (trx: Transaction, payload: unknown) => {
      const id = idOf(payload)
      const message = await repository.findKind(trx, id)
      return message && { message_id: id, ...message }
    },
    whenRemoved: (trx: Transaction, payload: unknown) =>
      notifications.dropMessage(trx, idOf(payload)),
  },
})

const retentionMs = 30 * dayMs

export async function purgeMessages(db: Database, at: Date): Promise<void> {
  await repository.giveUpOverdue(db, at, tooLate)
  await repository.deleteCountsBefore(db, new Date(at.getTime() - rules.unconfirmedWithinMs))
  await repository.deleteFinishedBefore(db, new Date(at.getTime() - retentionMs))
}

export async function purgeNotifications(db: Database, at: Date): Promise<void> {
  await repository.deleteNotificationsBefore(db, new Date(at.getTime() - rules.notificationsKeptMs))
  await repository.deleteNotificationsOfDeleted(db)
}

/** Wraps every queued message with the current master key; returns how many. */
export const rewrapMessages = (db: Database, sealer: Sealer): Promise<number> =>
  repository.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, sealContext(id)))

/** Binds the sealed text to its row: it does not unseal in another row. */
const sealContext = (id: string): string => `message ${id}`
