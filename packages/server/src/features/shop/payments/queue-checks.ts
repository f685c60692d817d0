import { eventsKeptMs } from '../../../platform/payments/gateway.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import * as attempts from './repository.ts'

export const checkTask = 'payments.check'

export const disputeTask = 'payments.dispute'

const checkedPerRun = 200

export const inAMinute = ({ now }: Deps) => new Date(now().getTime() + minuteMs)

export const queueChecks = (db: Database | Transaction, ids: readonly string[]) =>
  attempts.queueJobs(db, checkTask, ids)

export const queueDisputes = (db: Database, ids: readonly string[]) =>
  attempts.queueJobs(db, disputeTask, ids)

/** Checks attempts whose webhook may be lost. */
export async function reconcilePayments({ db, now }: Deps): Promise<void> {
  const due = await attempts.findDue(db, now(), checkedPerRun)
  await queueChecks(
    db,
    due.map(({ id }) => id),
  )
  await attempts.forgetEventsBefore(db, new Date(now().getTime() - eventsKeptMs))
}
