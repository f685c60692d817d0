import { api, told } from './client.ts'
import { queries } from './queries.ts'
import { session } from './session.ts'

export type Tokens = { access_token: string; refresh_token: string; requires_2fa: string | null }

/** Somebody who still has to give a code. Only ever in memory. */
export type Owing = { provider: string; access_token: string; refresh_token: string }

/** Signs in with new tokens; answers what is still owed, if anything. */
export async function goOnWith(tokens: Tokens): Promise<Owing | undefined> {
  const { requires_2fa, access_token, refresh_token } = tokens
  if (requires_2fa) return { provider: requires_2fa, access_token, refresh_token }
  await session.start(refresh_token, { take_over: true })
  // What was asked before was asked as nobody.
  void queries.invalidateQueries()
  return undefined
}

export const giveCode = async ({ refresh_token }: Owing, code: string) =>
  goOnWith(await told(api.POST('/auth/2fa', { body: { refresh_token, code } })))

/** A text message with a code, for who is signed in or about to be. */
export const sendSmsCode = (owing?: Owing) =>
  told(
    api.POST('/account/2fa/sms_code', {
      headers: owing ? { authorization: `Bearer ${owing.access_token}` } : {},
    }),
  )
