export { linkJobs } from './jobs.ts'
export { createLinks, type Link, type Links } from './service.ts'
export type { LinkData, LinkPurpose, ToldEvent } from './table.ts'
