import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import type { Notifications } from './notifications.ts'
import { sendTask } from './queue-message.ts'

export const notificationJobs = (notifications: Notifications): JobModule => ({
  tasks: {
    [sendTask]: (payload) => notifications.sendMessage(idOf(payload)),
  },
})

/** Removing a send job also removes the content of its message. */
export const notificationTaskRules = (notifications: Notifications) => ({
  [sendTask]: {
    about: (trx: Transaction, payload: unknown) =>
      notifications.describeMessages(trx, idOf(payload)),
    whenRemoved: (trx: Transaction, payload: unknown) =>
      notifications.dropMessages(trx, idOf(payload)),
  },
})
