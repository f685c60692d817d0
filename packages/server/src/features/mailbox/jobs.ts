import type { JobModule } from '../../platform/jobs/worker.ts'
import type { MailRequest } from './rules.ts'
import { type Mailbox, mailTask } from './service.ts'

export const mailboxJobs = (mailbox: Mailbox): JobModule => ({
  tasks: { [mailTask]: (payload) => mailbox.mail(payload as MailRequest) },
})
