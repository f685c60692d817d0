export { type Authorization, createAuthorization } from './authorization.ts'
