import type { Config } from '../../config.ts'
import type { Parts } from '../../parts.ts'
import { idempotencyJobs } from '../../platform/http/idempotency/jobs.ts'
import { mount } from '../../platform/http/mount.ts'
import { type CapturedMessages, captureMessages } from '../../platform/mail/captured.ts'
import { createSmtpTransport } from '../../platform/mail/smtp.ts'
import { createTwilioTransport } from '../../platform/sms/twilio.ts'
import { auditRoutes, createAudit } from './audit/index.ts'
import { createJobs, jobRoutes, type TaskRules } from './jobs/index.ts'
import {
  createNotifications,
  notificationJobs,
  notificationTaskRules,
} from './notifications/index.ts'

export type Operations = ReturnType<typeof createOperationsWing>['services']

/** What every other wing uses: who calls, audit entries, mails and text messages, jobs. */
export function createOperationsWing(parts: Parts) {
  const { config, db, now } = parts
  const kept = captureMessages(config.data_dir)
  const transports = createTransports(config, kept)
  const notifications = createNotifications({ ...parts, transports })
  const audit = createAudit(parts)
  return {
    services: { notifications, audit },
    capturedMessages: kept.list,
    jobs: [idempotencyJobs(db, now), notificationJobs(notifications)],
    taskRules: notificationTaskRules(notifications),
    /** The task rules of all wings say what operators may do with their jobs. */
    routes: (taskRules: TaskRules) => [
      mount(auditRoutes, { audit }),
      mount(jobRoutes, { jobs: createJobs({ db, audit, taskRules }) }),
    ],
  }
}

/** The demonstration keeps messages that it cannot send. */
function createTransports(
  { smtp_url, mail_from, sms_url, loopback }: Config,
  kept: CapturedMessages,
) {
  return {
    mail: smtp_url ? createSmtpTransport({ url: smtp_url, from: mail_from }) : kept.mail,
    sms: sms_url ? createTwilioTransport(sms_url) : loopback ? kept.sms : undefined,
  }
}
