import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'
import { type Owing, session } from './session.ts'

export type Tokens = { access_token: string; refresh_token: string; requires_2fa: string | null }

/** Whether somebody is in by now, or still owes a code. */
export type Progress = 'in' | 'owing'

/** Has a link mailed to sign in with, which also confirms the address. */
export const mailSignInLink = (body: { email: string; redirect?: string }) =>
  unwrap(api.POST('/auth/magic_link', { body }))

/** Signs in with new tokens, or keeps them until the code is given. */
export async function goOnWith({ requires_2fa, refresh_token }: Tokens): Promise<Progress> {
  if (requires_2fa) {
    await session.owe(refresh_token)
    return 'owing'
  }
  await session.start(refresh_token, { take_over: true })
  askAnew()
  return 'in'
}

export async function giveOwedCode(code: string): Promise<void> {
  await session.giveOwedCode(code)
  askAnew()
}

/** What was asked before was asked as nobody. */
const askAnew = () => void queries.invalidateQueries()

/** A text message with a code, for who is signed in or about to be. */
export const sendSmsCode = (owing?: Owing) =>
  unwrap(
    api.POST('/account/2fa/sms_code', {
      headers: owing ? { authorization: `Bearer ${owing.access_token}` } : {},
    }),
  )
