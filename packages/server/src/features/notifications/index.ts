export { notificationJobs, notificationTaskRules } from './jobs.ts'
export { assertPhoneNumber, type Mail, type Sms } from './rules.ts'
export { createNotifications, type Notifications, rewrapMessages } from './service.ts'
