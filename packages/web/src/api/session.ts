import { offline, Problem } from './problem.ts'

type Tokens = { access_token: string | null; requires_2fa: string | null }

/** Lasts as long as the page: what lasts longer is in a cookie that no script reads. */
let current: Promise<string | undefined> | undefined
let known: string | undefined
const watchers = new Set<() => void>()

async function call(method: string, path: string, body?: object): Promise<Tokens> {
  const answer = await fetch(path, {
    method,
    ...(body
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : {}),
  }).catch(() => {
    throw offline()
  })
  const told = await answer.json()
  if (!answer.ok) throw new Problem(answer.status, told)
  return told
}

function keep(token: string | undefined): string | undefined {
  known = token
  current = Promise.resolve(token)
  for (const watcher of watchers) watcher()
  return token
}

const secondsLeft = (token: string): number => {
  const [, claims = ''] = token.split('.')
  const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
  return exp - Date.now() / 1_000
}

async function renew(): Promise<string | undefined> {
  try {
    return keep((await call('POST', '/session/token')).access_token ?? undefined)
  } catch (thrown) {
    current = undefined
    throw thrown
  }
}

/** An access token that is good for a while, or nothing for who is not signed in. One asks for all. */
export async function accessToken(): Promise<string | undefined> {
  current ??= renew()
  const token = await current
  if (token === undefined || secondsLeft(token) > 30) return token
  current = renew()
  return current
}

/** Asks the site again: somebody signed in or out elsewhere, or the token is not believed any more. */
export function forgetToken(): void {
  current = undefined
}

export const session = {
  /** Goes on with a refresh token, which is not kept here. */
  start: async (refresh_token: string) =>
    keep((await call('POST', '/session', { refresh_token })).access_token ?? undefined),
  giveCode: async (code: string) =>
    keep((await call('POST', '/session/code', { code })).access_token ?? undefined),
  async end() {
    await call('DELETE', '/session')
    keep(undefined)
  },
  /** For `useSyncExternalStore`. */
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  token: () => known,
}
