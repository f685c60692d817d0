import { api, unwrap } from '../../api/client.ts'

type Login = { email: string; password: string }

/** Sends the device cookie, also if the API has another host. */
export const signInByPassword = (body: Login) =>
  unwrap(api.POST('/auth/token', { body, credentials: 'include' }))

export const registerAccount = (body: { email: string; password: string | null }) =>
  unwrap(api.POST('/users', { body }))

/** Emails a link to choose a new password. */
export const mailResetLink = (body: { email: string }) =>
  unwrap(api.POST('/auth/password_reset', { body }))
