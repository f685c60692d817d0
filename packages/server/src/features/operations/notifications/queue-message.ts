import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { assertMailAddress, mailboxOf } from '../../../platform/mail/address.ts'
import { writeLetter } from '../../../platform/mail/letter.ts'
import { serviceName } from '../../../platform/mail/phrases.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import { sealContext } from './keep-messages.ts'
import { addNotification } from './keep-notifications.ts'
import type { Deps } from './notifications.ts'
import * as messages from './repository.ts'
import type { Mail, Sms, TemplateMail } from './rules.ts'
import * as rules from './rules.ts'

export const sendTask = 'notifications.send'

const jobOptions = {
  /** More attempts than the queue's back-off fits into the retry period of an email. */
  max_attempts: 25,
  /** Lowest priority, so that a slow mail server does not delay other jobs. */
  priority: 10,
}

/**
 * Queues a finished email. An email about an event also becomes a notification of the account, in the
 * same transaction, so that the two never disagree. An account without an address gets that alone.
 */
export async function queueMail(
  deps: Deps,
  trx: Transaction,
  queued: Mail | TemplateMail,
): Promise<void> {
  const { now, links } = deps
  const mail = 'template' in queued ? rules.letterMailOf(queued) : queued
  const { to, kind, letter } = mail
  if (to !== null) {
    assertMailAddress(to)
    const content = { to, ...writeLetter(letter, { from: serviceName, links }) }
    await queueMessage(deps, trx, 'mail', kind, content, rules.giveUpMail(now()))
  }
  const notification = rules.notificationOf(mail)
  if (notification) await addNotification(deps, trx, notification)
}

/**
 * Counts a notice to an unconfirmed mailbox; returns false over the limit. The mailbox may belong
 * to a stranger, whom an attacker could flood with emails. Reports and invitations have counters of
 * their own, so that they cannot use up the notices of an account.
 */
export async function countUnconfirmedNotice(
  { now }: Deps,
  trx: Transaction,
  email: string,
  purpose: 'notice' | 'report' | 'invitation' = 'notice',
): Promise<boolean> {
  const at = now()
  const begin = new Date(at.getTime() - rules.unconfirmedWithinMs)
  const prefix = purpose === 'notice' ? '' : `${purpose} `
  const mailbox = subjectOf(`${prefix}mailbox ${mailboxOf(email)}`)
  const atMost = rules.unconfirmedAtMost
  if (!(await messages.countNotice(trx, mailbox, { at, begin, atMost }))) return false
  const network = currentNetwork()
  if (!rules.isCounted(network)) return true
  const limit = { at, begin, atMost: rules.unconfirmedOfNetworkAtMost }
  if (await messages.countNotice(trx, subjectOf(`${prefix}network ${network}`), limit)) return true
  // A network over its limit must not use up the limit of the mailbox.
  await messages.uncountNotice(trx, mailbox)
  return false
}

const subjectOf = (name: string): Buffer => sha256(name)

export async function queueSms(deps: Deps, trx: Transaction, sms: Sms): Promise<void> {
  const { transports, now } = deps
  if (!transports.sms) throw rules.unavailableSms()
  const { to, kind, text, valid_minutes } = sms
  rules.assertPhoneNumber(to)
  const end = rules.giveUpSms(valid_minutes, now())
  await queueMessage(deps, trx, 'sms', kind, { to, text }, end)
}

async function queueMessage(
  { now, sealer }: Deps,
  trx: Transaction,
  channel: 'mail' | 'sms',
  kind: string,
  content: object,
  give_up_at: Date,
) {
  const id = randomUUID()
  const sealed = sealer.seal(JSON.stringify(content), sealContext(id))
  await messages.insert(trx, { id, channel, template: kind, created_at: now(), give_up_at, sealed })
  await addJob(trx, sendTask, { id }, jobOptions)
}
