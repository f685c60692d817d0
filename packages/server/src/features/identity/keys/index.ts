export { createKeys, type Keys } from './keys.ts'
export { rewrapKeys } from './rewrap-keys.ts'
export { keyRoutes } from './routes.ts'
export { isSettled, readPubkey } from './rules.ts'
