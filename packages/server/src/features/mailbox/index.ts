export { mailboxJobs } from './jobs.ts'
export { readRedirect } from './rules.ts'
export { createMailbox, type Mailbox } from './service.ts'
