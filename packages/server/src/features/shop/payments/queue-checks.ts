import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { eventsKeptMs } from '../../../platform/payments/gateway.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import * as attempts from './repository.ts'

export const checkTask = 'payments.check'

export const disputeTask = 'payments.dispute'

const checkedPerRun = 200

export const inAMinute = ({ now }: Deps) => new Date(now().getTime() + minuteMs)

export function queueCheck(trx: Transaction, id: string) {
  return addJob(trx, checkTask, { id }, { key: `${checkTask}:${id}`, max_attempts: 100 })
}

export function queueDispute(trx: Transaction, id: string) {
  return addJob(trx, disputeTask, { id }, { key: `${disputeTask}:${id}`, max_attempts: 100 })
}

/** Checks attempts whose webhook may be lost. */
export async function reconcilePayments({ db, now }: Deps): Promise<void> {
  const due = await attempts.findDue(db, now(), checkedPerRun)
  for (const { id } of due) await transact(db, (trx) => queueCheck(trx, id))
  await attempts.forgetEventsBefore(db, new Date(now().getTime() - eventsKeptMs))
}
