import { appViews, partnerViews, patternOf } from '@emojid/core'
import { useLocation, useSearch } from '@tanstack/react-router'

const forms = ['link', 'register', 'reset'] as const

/** The URL parameters: the form, and the page to open afterwards. */
export type SignInSearch = {
  view?: (typeof forms)[number]
  next?: string
  /** An emailed link failed. */
  gone?: true
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address to sign in with; not in the URL, which servers log. */
    email?: string
  }
}

export const useKnownEmail = (): string => useLocation().state.email ?? ''

/** Routes also pass unvalidated parameters, so every reader validates them here. */
export const useSignInSearch = (): SignInSearch => readSignIn(useSearch({ from: '/sign-in' }))

export function readSignIn(search: Record<string, unknown>): SignInSearch {
  const view = forms.find((name) => name === search['view'])
  const next = readNext(search['next'])
  return {
    ...(view ? { view } : {}),
    ...(next ? { next } : {}),
    ...(search['gone'] ? { gone: true } : {}),
  }
}

/** Only pages of this app: a link must not lead to others, such as the authorization page. */
const afterwards = [...appViews, ...partnerViews].filter((view) => view !== '/sign-in')
const views = new RegExp(`^${patternOf(afterwards, '[^/]+')}$`)

/** A path of this app that no browser can resolve to another site. */
export function readNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined
  const { origin } = window.location
  if (!URL.canParse(next, origin)) return undefined
  const { origin: at, pathname, search } = new URL(next, origin)
  const path = pathname.replace(/(.)\/$/, '$1')
  return at === origin && views.test(path) ? path + search : undefined
}
