export { throttleJobs } from './jobs.ts'
export {
  codeSubjects,
  deviceSubject,
  namedSubject,
  nameSubjects,
  networkSubjects,
  redemptionSubjects,
  type Subject,
} from './rules.ts'
export { createThrottle, type Throttle } from './throttle.ts'
