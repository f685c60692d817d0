export { notificationJobs, notificationTaskRules } from './jobs.ts'
export { rewrapMessages } from './keep-messages.ts'
export { createNotifications, type Notifications } from './notifications.ts'
export { assertPhoneNumber, isCounted, type Mail, type Sms } from './rules.ts'
