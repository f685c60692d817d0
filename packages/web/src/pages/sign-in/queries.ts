import { api, unwrap } from '../../api/client.ts'

type Login = { email: string; password: string }

/** With the device cookie, also where the API has a host of its own. */
export const signInByPassword = (body: Login) =>
  unwrap(api.POST('/auth/token', { body, credentials: 'include' }))

export const registerAccount = (body: { email: string; password: string | null }) =>
  unwrap(api.POST('/users', { body }))

/** Has a link mailed to choose a new password with. */
export const mailResetLink = (body: { email: string }) =>
  unwrap(api.POST('/auth/password_reset', { body }))
