export { throttleJobs } from './jobs.ts'
export {
  codeSubject,
  deviceSubject,
  namedSubject,
  nameSubjects,
  networkSubject,
  redemptionSubject,
  type Subject,
} from './rules.ts'
export { createThrottle, type Throttle } from './service.ts'
