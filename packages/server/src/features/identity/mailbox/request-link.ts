import { addJob } from '../../../platform/jobs/jobs.ts'
import { mailTask } from './mail-link.ts'
import type { Deps } from './mailbox.ts'
import type * as rules from './rules.ts'

/** Queues a job for every address, so that timing does not reveal which addresses have accounts. */
export async function requestLink({ db }: Deps, request: rules.MailRequest): Promise<void> {
  await addJob(db, mailTask, request)
}
