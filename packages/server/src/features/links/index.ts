export { linkJobs } from './jobs.ts'
export { createLinks, type Link, type Links } from './service.ts'
export type { LinkPurpose, ToldEvent } from './table.ts'
