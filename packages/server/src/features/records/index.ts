export { recordRoutes } from './routes.ts'
export { type Answer, type KeptRecord, signedMessage, signingDomain } from './rules.ts'
export { createRecords, type Records } from './service.ts'
