export { linkJobs } from './jobs.ts'
export { createLinks, type Links } from './links.ts'
export type { LinkData, LinkPurpose, NoticeEvent } from './table.ts'
export type { Link } from './use-link.ts'
