import { createHash, randomUUID } from 'node:crypto'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { assertMailAddress, mailboxOf } from '../../platform/mail/address.ts'
import { DeliveryError } from '../../platform/mail/delivery.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import { currentNetwork } from '../../platform/request-id.ts'
import type { SmsTransport } from '../../platform/sms/sms.ts'
import type { Database, Transaction } from '../../tables.ts'
import * as messages from './repository.ts'
import type { Mail, Sms } from './rules.ts'
import * as rules from './rules.ts'

export type Notifications = ReturnType<typeof createNotifications>

type Options = {
  db: Database
  sealer: Sealer
  /** Without `sms`, text messages cannot be queued. */
  transports: { mail: MailTransport; sms?: SmsTransport | undefined }
  now: () => Date
  log: Log
}

export const sendTask = 'notifications.send'

const jobOptions = {
  /** More than the patience for a mail needs, with the pauses of the job queue in between. */
  max_attempts: 25,
  /** After everything else that is due: many mails and a slow mail server hold nothing up. */
  priority: 10,
}
const finishedKeptMs = 30 * 24 * 60 * 60 * 1_000
const tooLate = 'too_late'

/** Mails and text messages: queued with what causes them, sent by a job, then forgotten. */
export function createNotifications({ db, sealer, transports, now, log }: Options) {
  const queue = async (
    trx: Transaction,
    channel: 'mail' | 'sms',
    message: Mail | Sms,
    end: Date,
  ) => {
    const id = randomUUID()
    await messages.insert(trx, {
      ...{ id, channel, template: message.template, created_at: now(), give_up_at: end },
      sealed: sealer.seal(JSON.stringify(message), placeOf(id)),
    })
    await addJob(trx, sendTask, { id }, jobOptions)
  }

  const deliver = async (id: string, channel: 'mail' | 'sms', sealed: string, at: Date) => {
    const opened = JSON.parse(sealer.open(sealed, placeOf(id)).toString())
    if (channel === 'mail') {
      const mail: Mail = opened
      return transports.mail.send({ id, to: mail.to, at, ...rules.renderMail(mail) })
    }
    const sms: Sms = opened
    if (!transports.sms) throw new DeliveryError('sms_unavailable')
    return transports.sms.send({ id, to: sms.to, at, text: rules.renderSms(sms) })
  }

  return {
    /** Whether this service can send text messages. */
    canSendSms: transports.sms !== undefined,

    async queueMail(trx: Transaction, mail: Mail): Promise<void> {
      assertMailAddress(mail.to)
      await queue(trx, 'mail', mail, rules.giveUpMail(now()))
    },

    /**
     * Whether one more notice may go to a mailbox that nobody confirmed; counts it. The mailbox may be
     * a stranger's, whom somebody wants to annoy.
     */
    async takeUnconfirmed(trx: Transaction, email: string): Promise<boolean> {
      const at = now()
      const begin = new Date(at.getTime() - rules.unconfirmedWithinMs)
      const network = currentNetwork()
      const subjects = [
        [`mailbox ${mailboxOf(email)}`, rules.unconfirmedAtMost],
        ...(network ? [[`network ${network}`, rules.unconfirmedOfNetworkAtMost] as const] : []),
      ] as const
      for (const [name, atMost] of subjects) {
        const subject = createHash('sha256').update(name).digest()
        if (!(await messages.countNotice(trx, subject, { at, begin, atMost }))) return false
      }
      return true
    },

    async queueSms(trx: Transaction, sms: Sms): Promise<void> {
      if (!transports.sms) throw new rules.SmsUnavailableError()
      rules.assertPhoneNumber(sms.to)
      await queue(trx, 'sms', sms, rules.giveUpSms(sms, now()))
    },

    /** Throws while it makes sense to try again. */
    async send(id: string): Promise<void> {
      const message = await messages.beginAttempt(db, id)
      if (!message?.sealed) return
      const end = (status: 'sent' | 'failed', last_error: string | null = null) =>
        messages.finish(db, id, { status, last_error, finished_at: now() })
      const giveUp = (reason: string) => {
        log.warn({ message: id, channel: message.channel, reason }, 'A message was given up')
        return end('failed', reason)
      }
      if (now() > message.give_up_at) return giveUp(tooLate)
      try {
        await deliver(id, message.channel, message.sealed, message.created_at)
      } catch (error) {
        const { reason, isFinal } = DeliveryError.from(error)
        if (isFinal) return giveUp(reason)
        await messages.noteFault(db, id, reason)
        throw error
      }
      return end('sent')
    },

    /** What it is, without what it says and to whom. */
    async about(trx: Transaction, id: string) {
      const template = await messages.findTemplate(trx, id)
      return template && { message_id: id, ...template }
    },
    /** Nobody wants it to be sent any more. */
    drop: (trx: Transaction, id: string) =>
      messages.finish(trx, id, { status: 'failed', last_error: 'removed', finished_at: now() }),

    async purge(): Promise<void> {
      await messages.giveUpOverdue(db, now(), tooLate)
      await messages.forgetCountsBefore(db, new Date(now().getTime() - rules.unconfirmedWithinMs))
      await messages.forgetFinishedBefore(db, new Date(now().getTime() - finishedKeptMs))
    },
  }
}

/** Wraps every message on its way with the current master key. Answers how many it was. */
export const rewrapMessages = (db: Database, sealer: Sealer): Promise<number> =>
  messages.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
const placeOf = (id: string): string => `message ${id}`
