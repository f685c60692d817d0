export { createRecords, type Records } from './records.ts'
export { recordRoutes } from './routes.ts'
export {
  type Answer,
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
