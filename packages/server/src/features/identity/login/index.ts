export type { Origin } from './check-captcha.ts'
export { browserHash } from './hand-over.ts'
export { createLogin, type Login } from './login.ts'
export { loginRoutes } from './routes.ts'
