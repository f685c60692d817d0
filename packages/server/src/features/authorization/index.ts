export { type Authorization, createAuthorization } from './service.ts'
