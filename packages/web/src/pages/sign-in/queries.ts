import { queryOptions } from '@tanstack/react-query'
import { addresses } from '../../api/addresses.ts'
import { api, unwrap } from '../../api/client.ts'
import { offline, Problem } from '../../api/problem.ts'
import { queries } from '../../api/query-client.ts'
import { callSite, session } from '../../api/session.ts'

type Login = { email: string; password: string }

/** Sends the device cookie, also if the API has another host. */
export const signInByPassword = (body: Login) =>
  unwrap(api.POST('/auth/token', { body, credentials: 'include' }))

export const registerAccount = (body: { email: string; password: string | null }) =>
  unwrap(api.POST('/users', { body }))

/** Emails a link to choose a new password. */
export const mailResetLink = (body: { email: string }) =>
  unwrap(api.POST('/auth/password_reset', { body }))

/** Calls the authorization site, where this browser may be signed in. */
async function callAuth<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(addresses.auth + path, {
    method: 'POST',
    credentials: 'include',
  }).catch(() => {
    throw offline()
  })
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})))
  return answer.json()
}

/** The account that is signed in at the authorization site in this browser; null for none. */
export const otherLoginQuery = queryOptions({
  queryKey: ['other-login'],
  queryFn: async () => (await callAuth<{ name: string | null }>('/signed_in')).name,
  staleTime: 0,
  retry: false,
})

/** Continues that sign-in here, with a one-use code for this browser. */
export async function continueOtherLogin(): Promise<void> {
  const { browser } = await callSite<{ browser: string }>('POST', '/session/arrival')
  const { token } = await callAuth<{ token: string | null }>(`/hand_over?browser=${browser}`)
  await session.follow('/session/arrive', { token: token ?? '' })
  void queries.invalidateQueries()
}
