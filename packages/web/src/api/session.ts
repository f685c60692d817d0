import { addresses } from './addresses.ts'
import { giftLinks } from './gift-links.ts'
import { claimPersonalData, removeDrafts, removePersonalData } from './personal-data.ts'
import { offline, Problem } from './problem.ts'
import { texts } from './texts.ts'

export type Tokens = {
  access_token: string | null
  requires_2fa: string | null
  owing?: PendingSignIn | null
}

/** A pending sign-in that still needs a second factor code. Its token can only request a text message. */
export type PendingSignIn = { provider: string; name: string | null; access_token: string }

/** The sign-in state as far as this page knows. */
export type SessionState = 'asking' | 'in' | 'out'

/** In memory only. The long-lived session is in an HttpOnly cookie. */
let current: Promise<string | undefined> | undefined
let state: SessionState = 'asking'
/** The session ended without a sign-out on this page. */
let isOver = false
let owed: string | undefined
let pendingSignIn: PendingSignIn | undefined
/** The account of this page. All data shown and all requests belong to it. */
let owner: string | undefined
/** Other windows of this browser, which share the cookie. */
const windows = new BroadcastChannel('session')
const watchers = new Set<() => void>()

/** Calls the web site itself, which answers like the API. */
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
  const data = await answer.json()
  if (!answer.ok) throw new Problem(answer.status, data)
  return data
}

function storePendingSignIn(debt: PendingSignIn | null | undefined): void {
  pendingSignIn = debt ?? undefined
  for (const watcher of watchers) watcher()
}

function storeTokens({ access_token, requires_2fa, owing: left }: Tokens): string | undefined {
  const token = access_token ?? undefined
  current = Promise.resolve(token)
  state = token ? 'in' : 'out'
  owed = requires_2fa ?? undefined
  storePendingSignIn(left)
  return token
}

const claimsOf = (token: string): { exp: number; sub: string } => {
  const [, claims = ''] = token.split('.')
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
}
const secondsLeft = (token: string): number => claimsOf(token).exp - Date.now() / 1_000

/** A sign-in in this window makes its account the owner of the page. */
function adoptTokens(tokens: Tokens): string | undefined {
  isOver = false
  owner = tokens.access_token ? claimsOf(tokens.access_token).sub : undefined
  if (owner) {
    claimPersonalData(owner)
    giftLinks.removeOfOthers(owner)
  }
  const token = storeTokens(tokens)
  windows.postMessage('changed')
  return token
}

async function renew(): Promise<string | undefined> {
  try {
    const tokens = await callSite('POST', '/session/token')
    const sub = tokens.access_token ? claimsOf(tokens.access_token).sub : undefined
    if (owner && sub && sub !== owner) throw reloadForOtherAccount()
    owner ??= sub
    if (sub) claimPersonalData(sub)
    isOver = !sub && (isOver || state === 'in')
    return storeTokens(tokens)
  } catch (error) {
    current = undefined
    throw error
  }
}

/** Another window signed in to a different account. This page must not act for it. */
function reloadForOtherAccount(): Problem {
  window.location.reload()
  return new Problem(409, { error: texts.otherAccount })
}

windows.onmessage = ({ data }: MessageEvent<'changed' | 'ended'>) => {
  if (data === 'ended') removeDrafts()
  dropToken()
  accessToken().catch(() => {})
}

/** A valid access token, or undefined when signed out. Concurrent callers share one request. */
export async function accessToken(): Promise<string | undefined> {
  current ??= renew()
  const token = await current
  if (token === undefined || secondsLeft(token) > 30) return token
  current = renew()
  return current
}

/** Drops the token: the account signed in or out elsewhere, or the API rejected the token. */
export function dropToken(): void {
  current = undefined
}

/** The cookie of an authorization site on another host. The call below ends one on this host. */
async function signOutAtOtherHost(): Promise<void> {
  if (new URL(addresses.auth).origin === window.location.origin) return
  const call = { method: 'POST', credentials: 'include' } as const
  // Without that site, the person can still sign out here.
  await fetch(`${addresses.auth}/sign_out`, call).catch(() => {})
}

export const session = {
  /**
   * Signs in with a refresh token, which is never stored here. `take_over` revokes the session behind
   * the token; a token from a partner stays valid.
   */
  start: async (refresh_token: string, { take_over = false } = {}) =>
    adoptTokens(await callSite('POST', '/session', { refresh_token, take_over })),
  /** Stores a sign-in that still needs a code over reloads; its token stays out of the page. */
  owe: async (refresh_token: string) =>
    storePendingSignIn((await callSite('POST', '/session/owing', { refresh_token })).owing),
  giveOwedCode: async (code: string) =>
    adoptTokens(await callSite('POST', '/session/owing/code', { code })),
  async startOver() {
    await callSite('DELETE', '/session/owing')
    storePendingSignIn(undefined)
  },
  /** Signs in with the tokens that the site returns. */
  follow: async (path: string, body: object) => adoptTokens(await callSite('POST', path, body)),
  adopt: adoptTokens,
  /** Proves the signed-in account again. */
  givePassword: async (current_password: string) =>
    storeTokens(await callSite('POST', '/session/password', { current_password })),
  giveCode: async (code: string) => storeTokens(await callSite('POST', '/session/code', { code })),
  async end() {
    await signOutAtOtherHost()
    await callSite('DELETE', '/session')
    removePersonalData()
    windows.postMessage('ended')
    adoptTokens({ access_token: null, requires_2fa: null })
  },
  /** The second factor whose code this session needs, because it was enabled elsewhere. */
  owes: () => owed,
  /** The pending sign-in, if there is one. */
  owing: () => pendingSignIn,
  /** For `useSyncExternalStore`. */
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  state: () => state,
  isOver: () => isOver,
}
