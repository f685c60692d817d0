import { askedLinks } from './asked-links.ts'
import { api, unwrap } from './client.ts'
import { accessToken } from './session.ts'
import { goOnWith, type Progress, type Tokens } from './sign-in.ts'

/** What became of the mailed link that this page was opened with. */
type Arrival = Progress | 'unsure' | 'gone'

/** Somebody whom a link would sign in that this browser did not ask for. */
export type Unsure = { name: string; tokens: Tokens }

let unsure: Unsure | undefined

/** The one-use code of a link: out of the address bar before anything else looks at it. */
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

/** Anybody can make a link that signs in as themselves: only who asked for it is not asked. */
async function exchange(code: string): Promise<Arrival> {
  try {
    const before = await accessToken().catch(() => undefined)
    const tokens = await unwrap(api.POST('/auth/exchange', { body: { code } }))
    if (!tokens.requires_2fa) {
      const { id, email, alternate_id } = await userOf(tokens.access_token)
      const isSame = before !== undefined && (await userOf(before)).id === id
      if (!isSame && (before || !askedLinks.has(email))) {
        unsure = { tokens, name: email ?? alternate_id ?? '' }
        return 'unsure'
      }
    }
    return await goOnWith(tokens)
  } catch {
    const token = await accessToken().catch(() => undefined)
    return token ? 'in' : 'gone'
  }
}

const code = takeCode()
let arrival = code ? exchange(code) : undefined

/** Tells it once, to whoever asks first. */
export async function takeArrival(): Promise<Arrival | undefined> {
  const result = await arrival
  arrival = undefined
  return result
}

/** Whom a link would sign in; asked for once. */
export function takeUnsure(): Unsure | undefined {
  const taken = unsure
  unsure = undefined
  return taken
}
