import { api, unwrap } from './client.ts'

/** Emails a link that signs in, or confirms the address of an account with a password, and returns to a page. */
export const mailLink = (email: string, redirect: string) =>
  unwrap(api.POST('/auth/magic_link', { body: { email, redirect } }))
