import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { SiteLinks } from '../../../platform/http/site-links.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import type { Database } from '../../../tables.ts'
import { describeMessages, dropMessages } from './keep-messages.ts'
import { notifyOfSignIn, removeNotifications } from './keep-notifications.ts'
import { countUnconfirmedNotice, queueMail, queueSms } from './queue-message.ts'
import { countUnread, listNotifications, markRead } from './read-notifications.ts'
import { sendMessage } from './send-message.ts'

export { purgeMessages, rewrapMessages } from './keep-messages.ts'
export { purgeNotifications } from './keep-notifications.ts'
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
      dropMessages,
      notifyOfSignIn,
      listNotifications,
      countUnread,
      markRead,
    }),
    /** Whether this service can send text messages. */
    canSendSms: transports.sms !== undefined,
    describeMessages,
    removeNotifications,
  }
}
