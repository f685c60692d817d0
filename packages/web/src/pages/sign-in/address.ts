import { appViews, partnerViews, patternOf } from '@emojid/core'
import { useSearch } from '@tanstack/react-router'

const forms = ['link', 'register', 'reset'] as const

/** What the address of the page says: which form, and where to go afterwards. */
export type SignInSearch = {
  view?: (typeof forms)[number]
  next?: string
  /** A mailed link brought somebody here that did not work. */
  gone?: true
}

/** Routes hand on what nobody checked, too: whoever uses the address asks here. */
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

/** Only our own pages: others, such as that which lets applications in, are led to by nobody's link. */
const afterwards = [...appViews, ...partnerViews].filter((view) => view !== '/sign-in')
const views = new RegExp(`^${patternOf(afterwards, '[^/]+')}$`)

/** A page of this app, and nothing that a browser could take for another place. */
export function readNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined
  const { origin } = window.location
  if (!URL.canParse(next, origin)) return undefined
  const { origin: at, pathname, search } = new URL(next, origin)
  const path = pathname.replace(/(.)\/$/, '$1')
  return at === origin && views.test(path) ? path + search : undefined
}
