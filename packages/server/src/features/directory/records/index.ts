export { recordJobs } from './jobs.ts'
export { createRecords, type Records } from './records.ts'
export { recordRoutes } from './routes.ts'
export {
  type Answer,
  assertSize,
  assertSizeOfUndo,
  auditedChange,
  fillPlaces,
  isAddress,
  isReordered,
  type KeptRecord,
  marksOf,
  nameAddress,
  recordsAtMost,
  recordsOnlyIn,
  restless,
  signedMessage,
  signingDomain,
  tooManyRecords,
} from './rules.ts'
