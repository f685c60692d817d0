import type { JobModule } from '../../../platform/jobs/worker.ts'
import { mailTask } from './mail-link.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailRequest } from './rules.ts'

export const mailboxJobs = (mailbox: Mailbox): JobModule => ({
  tasks: { [mailTask]: (payload) => mailbox.mailRequestedLink(payload as MailRequest) },
})
