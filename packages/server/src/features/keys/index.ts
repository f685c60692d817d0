export { createKeys, type Keys } from './service.ts'
