export { keyRoutes } from './routes.ts'
export { isSettled, readPubkey } from './rules.ts'
export { createKeys, type Keys, rewrapKeys } from './service.ts'
