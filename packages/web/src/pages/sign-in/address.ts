import { useSearch } from '@tanstack/react-router'

const views = ['link', 'register', 'reset'] as const

/** What the address of the page says: which form, and where to go afterwards. */
export type SignInSearch = {
  view?: (typeof views)[number]
  next?: string
  /** A mailed link brought somebody here that did not work. */
  gone?: true
}

/** Routes hand on what nobody checked, too: whoever uses the address asks here. */
export const useSignInSearch = (): SignInSearch => readSignIn(useSearch({ from: '/sign-in' }))

export function readSignIn(search: Record<string, unknown>): SignInSearch {
  const view = views.find((name) => name === search['view'])
  const next = readNext(search['next'])
  return {
    ...(view ? { view } : {}),
    ...(next ? { next } : {}),
    ...(search['gone'] ? { gone: true } : {}),
  }
}

/** A place on our own site, and nothing that a browser could take for another one. */
export function readNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined
  const { origin } = window.location
  if (!URL.canParse(next, origin)) return undefined
  const address = new URL(next, origin)
  return address.origin === origin ? address.pathname + address.search : undefined
}
