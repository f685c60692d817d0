export { mailboxJobs } from './jobs.ts'
export { createMailbox, type Mailbox } from './mailbox.ts'
export { readRedirect } from './rules.ts'
