import { accountQuery } from '../../../api/account.ts'
import { requestedLinks } from '../../../api/browser-notes.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import { continueSignIn } from '../../../api/sign-in.ts'

type Change = {
  first_name?: string
  last_name?: string
  email?: string
  password?: string
  current_password?: string
  redirect?: string
}

/** Changes the account. A new password revokes every session, so this page continues with a new one. */
export async function changeAccount(change: Change): Promise<void> {
  // The link of a first address signs in.
  if (change.redirect && change.email) requestedLinks.note(change.email)
  const { token_response } = await unwrap(api.PATCH('/account', { body: change }))
  if (token_response) await continueSignIn(token_response)
  await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
}

/** Loads the file of all own data. */
export const exportAccount = () => unwrap(api.GET('/account/export', { parseAs: 'blob' }))

export const deleteAccount = (id: string) =>
  unwrap(api.DELETE('/users/{id}', { params: { path: { id } } }))
