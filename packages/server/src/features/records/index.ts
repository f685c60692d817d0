export { recordRoutes } from './routes.ts'
export {
  type Answer,
  isAddress,
  type KeptRecord,
  nameAddress,
  signedMessage,
  signingDomain,
} from './rules.ts'
export { createRecords, type Records } from './service.ts'
