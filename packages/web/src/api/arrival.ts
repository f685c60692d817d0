import { api, told } from './client.ts'
import { accessToken } from './session.ts'
import { goOnWith, type Owing } from './sign-in.ts'

/** What became of the mailed link that this page was opened with. */
type Arrival = 'in' | 'owing' | 'gone'

let owed: Owing | undefined

/** The one-use code of a link: out of the address bar before anything else looks at it. */
function takeCode(): string | undefined {
  const address = new URL(window.location.href)
  const code = address.searchParams.get('code')
  if (!code || !/^[\w-]{43}$/.test(code)) return undefined
  address.searchParams.delete('code')
  window.history.replaceState(window.history.state, '', address)
  return code
}

async function exchange(code: string): Promise<Arrival> {
  try {
    owed = await goOnWith(await told(api.POST('/auth/exchange', { body: { code } })))
    return owed ? 'owing' : 'in'
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

/** Who came by a link and still has to give a code. */
export const owingAtArrival = (): Owing | undefined => owed
