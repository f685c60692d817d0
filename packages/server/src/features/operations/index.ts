import type { Config } from '../../config.ts'
import type { Parts } from '../../parts.ts'
import { purgeResponses } from '../../platform/http/api/idempotency/repository.ts'
import { mount } from '../../platform/http/mount.ts'
import { purgeJobs } from '../../platform/jobs/jobs.ts'
import { type CapturedMessages, captureMessages } from '../../platform/mail/captured.ts'
import { createSmtpTransport } from '../../platform/mail/smtp.ts'
import { createTwilioTransport } from '../../platform/sms/twilio.ts'
import { createAudit } from './audit/audit.ts'
import { auditRoutes } from './audit/routes.ts'
import { createEvents, purgeEvents, purgeWatches } from './events/events.ts'
import { eventRoutes } from './events/routes.ts'
import { createJobs, type TaskRules } from './jobs/jobs.ts'
import { jobRoutes } from './jobs/routes.ts'
import {
  createNotifications,
  notificationJobs,
  notificationTaskRules,
  purgeMessages,
  purgeNotifications,
} from './notifications/notifications.ts'
import { notificationRoutes } from './notifications/routes.ts'

export type Operations = ReturnType<typeof createOperationsWing>['services']

/** Access checks, audit log, notifications and jobs, for all other wings. */
export function createOperationsWing(parts: Parts) {
  const { config, db, sealer } = parts
  const storedMessages = captureMessages(config.data_dir)
  const transports = createTransports(config, storedMessages)
  const notifications = createNotifications({ ...parts, transports, links: config.links })
  const audit = createAudit(parts)
  const events = createEvents({ ...parts, networkKey: sealer.derive('event watches') })
  return {
    services: { notifications, audit, events },
    capturedMessages: storedMessages.list,
    jobs: [
      purgeJobs(parts, [
        ['idempotency.purge', '7 * * * *', purgeResponses],
        ['notifications.purge', '17 * * * *', purgeMessages],
        ['notifications.purge_notifications', '43 * * * *', purgeNotifications],
        ['events.purge', '20 * * * *', purgeEvents],
        ['events.purge_watches', '*/10 * * * *', purgeWatches],
      ]),
      notificationJobs(notifications),
    ],
    taskRules: notificationTaskRules(notifications),
    stop: () => events.stop(),
    eventRoutes: [mount(eventRoutes, { events })],
    accountRoutes: [mount(notificationRoutes, { notifications })],
    /** Takes the task rules of all wings, which limit what operators can do with jobs. */
    routes: (taskRules: TaskRules) => [
      mount(auditRoutes, { audit }),
      mount(jobRoutes, { jobs: createJobs({ db, audit, taskRules }) }),
    ],
  }
}

/** Without an email or SMS server, the demonstration stores messages locally. */
function createTransports(
  { smtp_url, mail_from, sms_url, loopback }: Config,
  storedMessages: CapturedMessages,
) {
  return {
    mail: smtp_url ? createSmtpTransport({ url: smtp_url, from: mail_from }) : storedMessages.mail,
    sms: sms_url ? createTwilioTransport(sms_url) : loopback ? storedMessages.sms : undefined,
  }
}
