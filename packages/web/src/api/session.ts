import { offline, Problem } from './problem.ts'
import { texts } from './texts.ts'

type Tokens = { access_token: string | null; requires_2fa: string | null; owing?: Owing | null }

/** Somebody who still has to give the code of their login; the token only has one sent. */
export type Owing = { provider: string; name: string | null; access_token: string }

/** Whether somebody is signed in, as far as this page knows by now. */
export type SessionState = 'asking' | 'in' | 'out'

/** Lasts as long as the page: what lasts longer is in a cookie that no script reads. */
let current: Promise<string | undefined> | undefined
let state: SessionState = 'asking'
/** Somebody was signed in on this page, and is not any more without having said so here. */
let isOver = false
let owed: string | undefined
let owing: Owing | undefined
/** Whose page this is: what is shown here is theirs, and whatever is asked is asked for them. */
let owner: string | undefined
/** Other windows of this browser, which have the same cookie. */
const windows = new BroadcastChannel('session')
const watchers = new Set<() => void>()

/** Asks the web site itself, which answers as the API does. */
export async function callSite<Answer = Tokens>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
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

function keepOwing(left: Owing | null | undefined): void {
  owing = left ?? undefined
  for (const watcher of watchers) watcher()
}

function keep({ access_token, requires_2fa, owing: left }: Tokens): string | undefined {
  const token = access_token ?? undefined
  current = Promise.resolve(token)
  state = token ? 'in' : 'out'
  owed = requires_2fa ?? undefined
  keepOwing(left)
  return token
}

const claimsOf = (token: string): { exp: number; sub: string } => {
  const [, claims = ''] = token.split('.')
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
}
const secondsLeft = (token: string): number => claimsOf(token).exp - Date.now() / 1_000

/** Somebody signed in here, in this very window: it is their page from now on. */
function keepAs(tokens: Tokens): string | undefined {
  isOver = false
  const token = keep(tokens)
  owner = token && claimsOf(token).sub
  windows.postMessage('changed')
  return token
}

async function renew(): Promise<string | undefined> {
  try {
    const tokens = await callSite('POST', '/session/token')
    const sub = tokens.access_token ? claimsOf(tokens.access_token).sub : undefined
    if (owner && sub && sub !== owner) throw leaveToSomebodyElse()
    owner ??= sub
    isOver = !sub && (isOver || state === 'in')
    return keep(tokens)
  } catch (thrown) {
    current = undefined
    throw thrown
  }
}

/** Another window signed in as somebody else. Nothing of this page may be done in their name. */
function leaveToSomebodyElse(): Problem {
  window.location.reload()
  return new Problem(409, { error: texts.otherAccount })
}

windows.onmessage = () => {
  forgetToken()
  accessToken().catch(() => {})
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
  /**
   * Goes on with a refresh token, which is not kept here. Whoever got the token only for this takes
   * it over, which ends the session behind it; one that somebody else handed us stays good.
   */
  start: async (refresh_token: string, { take_over = false } = {}) =>
    keepAs(await callSite('POST', '/session', { refresh_token, take_over })),
  /** Keeps a login over reloads that still owes a code; its token is not kept here either. */
  owe: async (refresh_token: string) =>
    keepOwing((await callSite('POST', '/session/owing', { refresh_token })).owing),
  giveOwedCode: async (code: string) =>
    keepAs(await callSite('POST', '/session/owing/code', { code })),
  async startOver() {
    await callSite('DELETE', '/session/owing')
    keepOwing(undefined)
  },
  /** Goes on as whom the site makes of a request. */
  follow: async (path: string, body: object) => keepAs(await callSite('POST', path, body)),
  giveCode: async (code: string) => keep(await callSite('POST', '/session/code', { code })),
  async end() {
    await callSite('DELETE', '/session')
    keepAs({ access_token: null, requires_2fa: null })
  },
  /** Which second factor this session owes a code of, since it was enabled elsewhere. */
  owes: () => owed,
  /** The login that waits for its code, if one does. */
  owing: () => owing,
  /** For `useSyncExternalStore`. */
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  state: () => state,
  isOver: () => isOver,
}
