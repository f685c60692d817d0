import { queryOptions } from '@tanstack/react-query'
import { addresses } from './addresses.ts'
import { offline, Problem } from './problem.ts'
import { queries } from './query-client.ts'
import { callSite, session } from './session.ts'

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
