import { api, unwrap } from './client.ts'

/** A link that signs in, or confirms the mailbox of who has a password, and leads back to a page. */
export const mailLink = (email: string, redirect: string) =>
  unwrap(api.POST('/auth/magic_link', { body: { email, redirect } }))
