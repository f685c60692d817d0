import { RefusedError } from '../errors.ts'

export type Tokens = { access_token: string; refresh_token: string }

/**
 * Stores the tokens of the signed-in user. `save(undefined)` means that the session has ended.
 * Several tabs or processes may share one: each reads it again before a refresh.
 */
export type TokenStore = {
  load(): Tokens | undefined | Promise<Tokens | undefined>
  save(tokens: Tokens | undefined): void | Promise<void>
}

/** Tokens that last as long as this process or page. */
export function memoryTokens(tokens?: Tokens): TokenStore {
  let current = tokens
  return {
    load: () => current,
    save(next) {
      current = next
    },
  }
}

const tooCloseMs = 30_000

type Options = {
  store: TokenStore
  refresh: (refresh_token: string) => Promise<Tokens>
  now?: () => number
}

/** Valid access tokens; concurrent requests share one refresh. */
export function createSession({ store, refresh, now = Date.now }: Options) {
  let renewing: Promise<string | undefined> | undefined
  /** The local clock may be wrong: for a fresh token, only its age counts. */
  let latest: { token: string; at: number } | undefined

  const isFresh = (token: string): boolean => {
    const { exp, iat } = claimsOf(token)
    if (exp === undefined) return true
    if (latest?.token !== token || iat === undefined) return exp * 1_000 - now() > tooCloseMs
    return (exp - iat) * 1_000 - (now() - latest.at) > tooCloseMs
  }

  const renew = async (refusedToken?: string): Promise<string | undefined> => {
    const knownTokens = await store.load()
    if (!knownTokens) return undefined
    if (knownTokens.access_token !== refusedToken && isFresh(knownTokens.access_token))
      return knownTokens.access_token
    try {
      const { access_token, refresh_token } = await refresh(knownTokens.refresh_token)
      const savedTokens = await store.load()
      // Signed out, or in to another account, meanwhile.
      if (savedTokens?.refresh_token !== knownTokens.refresh_token) return savedTokens?.access_token
      latest = { token: access_token, at: now() }
      await store.save({ access_token, refresh_token })
      return access_token
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 401) throw error
      const other = await store.load()
      // Another tab that shares the store refreshed first.
      if (other && other.refresh_token !== knownTokens.refresh_token) return other.access_token
      await store.save(undefined)
      throw error
    }
  }

  const renewOnce = (refusedToken?: string) => {
    renewing ??= renew(refusedToken).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    async accessToken(): Promise<string | undefined> {
      const knownTokens = await store.load()
      if (!knownTokens || isFresh(knownTokens.access_token)) return knownTokens?.access_token
      return renewOnce()
    },
    /** A token other than the refused one. */
    renew: renewOnce,
  }
}

/** The subject of a token; undefined if it has none. */
export const subjectOf = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : claimsOf(token).sub

function claimsOf(token: string): { exp?: number; iat?: number; sub?: string } {
  try {
    const [, claims = ''] = token.split('.')
    const { exp, iat, sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return {
      ...(typeof exp === 'number' ? { exp } : {}),
      ...(typeof iat === 'number' ? { iat } : {}),
      ...(typeof sub === 'string' ? { sub } : {}),
    }
  } catch {
    return {}
  }
}
