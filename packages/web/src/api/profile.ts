import { accountQuery } from './account.ts'
import { api, told } from './client.ts'
import { queries } from './queries.ts'
import { goOnWith } from './sign-in.ts'

type Change = {
  first_name?: string
  last_name?: string
  email?: string
  password?: string
  current_password?: string
}

/** Changes the account. A new password ends every session: this one goes on with a new one. */
export async function changeAccount(change: Change): Promise<void> {
  const { token_response } = await told(api.PATCH('/account', { body: change }))
  if (token_response) await goOnWith(token_response)
  await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
}

/** A link that signs in, or confirms the mailbox of who has a password, and leads back to a page. */
export const mailLink = (email: string, redirect: string) =>
  told(api.POST('/auth/magic_link', { body: { email, redirect } }))

export const deleteAccount = (id: string) =>
  told(api.DELETE('/users/{id}', { params: { path: { id } } }))
