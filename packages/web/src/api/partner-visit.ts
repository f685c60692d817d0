import { decoded, readParameters, withParameters } from './parameters.ts'
import { callSite, session } from './session.ts'

export type Flow = 'create' | 'connect' | 'manage'

/** Somebody whom a partner sent, and what came along: no secrets, the token is not among it. */
export type Visit = {
  path: string
  flow: Flow
  eid: string
  addresses: string
  address_json: string
  /** A token came along. */
  hasToken?: true
  /** The account that somebody said is theirs. */
  confirmed?: string
  /** Whoever signs in by themselves need not say so. */
  signsInHere?: true
  /** They went back. */
  isOver?: true
}

const pages: Record<Flow, string> = { create: '', connect: '/link-email', manage: '/manage' }
const storage = 'partner-visit'
/** All that stays in the address: what a mailed link brings, and what our own pages write. */
const stays = ['code', 'id', 'next']
/** What a mailed link may be asked to lead to. */
const longestRedirect = 1_000

const watchers = new Set<() => void>()
let current = read()
let isRefused = false

function read(): Visit | undefined {
  try {
    return JSON.parse(window.sessionStorage.getItem(storage) ?? '') as Visit
  } catch {
    return undefined
  }
}

function keep(visit: Visit): void {
  current = visit
  try {
    window.sessionStorage.setItem(storage, JSON.stringify(visit))
  } catch {
    // Without storage the visit lasts as long as the page.
  }
  for (const watcher of watchers) watcher()
}

const emptyVisit = (path: string, flow: Flow): Visit => ({
  ...{ path, flow },
  ...{ eid: '', addresses: '', address_json: '' },
})

/** The address of a page of a partner. */
export const partnerPage = ({ path, flow }: Pick<Visit, 'path' | 'flow'>): string =>
  `/partner/${encodeURIComponent(path)}${pages[flow]}`

/** Takes along what came in the address, which loses it before anything else looks at it. */
function arrive(): void {
  const { pathname, href, search } = window.location
  const [, part, rest = ''] = /^\/partner\/([^/]+)(\/link-email|\/manage)?\/?$/.exec(pathname) ?? []
  if (!part) return
  const given = readParameters(search)
  const bare = new URL(href)
  for (const name of [...bare.searchParams.keys()])
    if (!stays.includes(name)) bare.searchParams.delete(name)
  window.history.replaceState(window.history.state, '', bare)

  const flow = (Object.keys(pages) as Flow[]).find((name) => pages[name] === rest) ?? 'create'
  const path = decoded(part)
  const value = (name: string): string => given.get(name) ?? ''
  const token = value('refresh_token')
  const isMailed = given.has('continue')
  const isKnown = current?.path === path && current.flow === flow
  if (current && isKnown && !token && (isMailed || isSeenAgain())) {
    const { isOver: _, ...again } = current
    keep(again)
    return
  }
  keep({
    ...emptyVisit(path, flow),
    ...{ eid: value('eid'), addresses: value('addresses'), address_json: value('address_json') },
    ...(token ? { hasToken: true } : {}),
  })
  // A mailed link goes on with a visit of another window, whose token waits where it was.
  if (!isMailed || token) void greet(path, token)
}

/** Tells the site who came, or that nobody did, which makes it forget who came before. */
async function greet(path: string, refresh_token: string): Promise<void> {
  const address = `/partner/${encodeURIComponent(path)}/visit`
  if (refresh_token) {
    await session.follow(address, { refresh_token }, () => {
      isRefused = true
    })
  } else {
    await callSite('POST', address, {}).catch(() => {})
  }
}

function isSeenAgain(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const { type } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>
  return type === 'reload' || type === 'back_forward'
}

arrive()

export const partnerVisit = {
  /** For `useSyncExternalStore`. */
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  current: (): Visit | undefined => current,
  change: (change: Partial<Visit>): void => {
    if (current) keep({ ...current, ...change })
  },
  /** Somebody got to a page of a partner from within the app. */
  ensure(path: string, flow: Flow): void {
    if (current?.path !== path) keep(emptyVisit(path, flow))
    else if (current.flow !== flow) keep({ ...current, flow })
  },
  /** The token that came along was not taken; told until somebody signs in. */
  isRefused: () => isRefused,
  forgetRefusal(): void {
    isRefused = false
  },
}

/** Where a mailed link should lead, which may be opened in a window that knows of no visit. */
export function throughVisit(next: string | undefined): string | undefined {
  if (!current || current.isOver) return next
  const { eid, addresses, address_json } = current
  const own = partnerPage(current)
  // Without the mark nobody would know it from a new visit, which forgets who came.
  const through = withParameters(own, {
    ...{ continue: '1', eid, addresses, address_json },
    ...(next && next !== own ? { next } : {}),
  })
  return through.length <= longestRedirect ? through : next
}

/** Back to the partner, with what is theirs to know. */
export async function goBackToPartner(path: string, action: Flow, eid = ''): Promise<void> {
  const address = `/partner/${encodeURIComponent(path)}/return`
  const { location } = await callSite<{ location: string }>('POST', address, { eid, action })
  partnerVisit.change({ isOver: true })
  window.location.assign(location)
}
