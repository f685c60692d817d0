export { keyRoutes } from './routes.ts'
export { readPubkey } from './rules.ts'
export { createKeys, type Keys, rewrapKeys } from './service.ts'
