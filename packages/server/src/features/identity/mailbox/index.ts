export { readRedirect } from '../links/index.ts'
export { mailboxJobs } from './jobs.ts'
export { createMailbox, type Mailbox } from './mailbox.ts'
