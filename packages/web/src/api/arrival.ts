import { requestedLinks } from './browser-notes.ts'
import { api, unwrap } from './client.ts'
import { accessToken } from './session.ts'
import { continueSignIn, type Progress, type Tokens } from './sign-in.ts'

/** The result of the emailed link that opened this page. */
type Arrival = Progress | 'unsure' | 'gone'

/** The account of a link that this browser did not request. */
export type UnrequestedLink = { name: string; tokens: Tokens }

let unsure: UnrequestedLink | undefined

/** Removes the one-use code from the address bar before any other script can read it. */
function takeCode(): string | undefined {
  const address = new URL(window.location.href)
  const code = address.searchParams.get('code')
  if (!code || !/^[\w-]{43}$/.test(code)) return undefined
  address.searchParams.delete('code')
  window.history.replaceState(window.history.state, '', address)
  return code
}

const userOf = async (access_token: string) =>
  (await unwrap(api.GET('/account', { headers: { authorization: `Bearer ${access_token}` } }))).user

/** Login CSRF: an attacker can send a link to their own account. Only a link that this browser requested skips the question. */
async function exchange(code: string): Promise<Arrival> {
  try {
    const before = await accessToken().catch(() => undefined)
    const tokens = await unwrap(api.POST('/auth/exchange', { body: { code } }))
    if (!tokens.requires_2fa) {
      const { id, email, alternate_id } = await userOf(tokens.access_token)
      const isSame = before !== undefined && (await userOf(before)).id === id
      if (!isSame && (before || !requestedLinks.has(email))) {
        unsure = { tokens, name: email ?? alternate_id ?? '' }
        return 'unsure'
      }
    }
    return await continueSignIn(tokens)
  } catch {
    const token = await accessToken().catch(() => undefined)
    return token ? 'in' : 'gone'
  }
}

const code = takeCode()
let arrival = code ? exchange(code) : undefined

/** Returns the result once, to the first caller. */
export async function takeArrival(): Promise<Arrival | undefined> {
  const result = await arrival
  arrival = undefined
  return result
}

/** Returns the account of an unrequested link once. */
export function takeUnrequestedLink(): UnrequestedLink | undefined {
  const link = unsure
  unsure = undefined
  return link
}
