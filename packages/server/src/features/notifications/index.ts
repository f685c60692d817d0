export { notificationJobs, notificationTaskRules } from './jobs.ts'
export type { Mail, MailAddress, Sms } from './rules.ts'
export { assertMailAddress, assertPhoneNumber, normaliseMailAddress } from './rules.ts'
export { createNotifications, type Notifications, rewrapMessages } from './service.ts'
