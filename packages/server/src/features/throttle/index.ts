export { throttleJobs } from './jobs.ts'
export { addressSubject, codeSubject, nameSubject, redemptionSubject } from './rules.ts'
export { createThrottle, type Throttle } from './service.ts'
