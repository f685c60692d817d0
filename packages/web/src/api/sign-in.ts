import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'
import { type PendingSignIn, session } from './session.ts'

export type Tokens = { access_token: string; refresh_token: string; requires_2fa: string | null }

/** Whether the sign-in is complete or still needs a code. */
export type Progress = 'in' | 'owing'

/** Emails a sign-in link, which also confirms the address. */
export const mailSignInLink = (body: { email: string; redirect?: string }) =>
  unwrap(api.POST('/auth/magic_link', { body }))

/** Signs in with new tokens, or stores them until the code is entered. */
export async function continueSignIn({ requires_2fa, refresh_token }: Tokens): Promise<Progress> {
  if (requires_2fa) {
    await session.owe(refresh_token)
    return 'owing'
  }
  await session.start(refresh_token, { take_over: true })
  refetchAll()
  return 'in'
}

export async function giveOwedCode(code: string): Promise<void> {
  await session.giveOwedCode(code)
  refetchAll()
}

/** Cached data was fetched while signed out. */
const refetchAll = () => void queries.invalidateQueries()

/** Sends a code by text message, also during a pending sign-in. */
export const sendSmsCode = (owing?: PendingSignIn) =>
  unwrap(
    api.POST('/account/2fa/sms_code', {
      headers: owing ? { authorization: `Bearer ${owing.access_token}` } : {},
    }),
  )
