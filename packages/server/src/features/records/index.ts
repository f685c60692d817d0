export { recordRoutes } from './routes.ts'
export {
  type Answer,
  isAddress,
  type KeptRecord,
  marksOf,
  nameAddress,
  signedMessage,
  signingDomain,
} from './rules.ts'
export { createRecords, type Records } from './service.ts'
