import { api, told } from './client.ts'

/** A link that signs in, or confirms the mailbox of who has a password, and leads back to a page. */
export const mailLink = (email: string, redirect: string) =>
  told(api.POST('/auth/magic_link', { body: { email, redirect } }))
