import { dayMs } from '../time.ts'
import { decodeText, readParameters, withParameters } from './parameters.ts'
import { queries } from './query-client.ts'
import { callSite, session } from './session.ts'

export type Flow = 'create' | 'connect' | 'manage'

type Account = { id: string; name: string; is_confirmed: boolean; has_address: boolean }

/** A visit from a partner and its parameters. Holds no secrets: the token is not part of it. */
export type Visit = {
  path: string
  flow: Flow
  eid: string
  addresses: string
  address_json: string
  /** The account of the partner's token, until the visitor confirms it. */
  sentAs?: Account | undefined
  /** The account that the visitor confirmed. */
  confirmed?: string
  /** The visitor signs in here, so no confirmation is needed. */
  signsInHere?: true
  /** The parameters stayed in another browser. */
  isLost?: true
  /** The visitor returned to the partner. */
  isOver?: true
}

const pages: Record<Flow, string> = { create: '', connect: '/link-email', manage: '/manage' }
const storage = 'partner-visit'
/** Parameters that stay in the URL: those of an emailed link and of our own pages. */
const stays = ['code', 'id', 'next']
/** Marks an emailed link of a visit without addresses. */
const visitMark = '1'
/** Marks an emailed link of a browser that could not store the visit. */
const notStored = '0'
/** The longest redirect that an emailed link may carry. */
const longestRedirect = 1_000

const parkedPrefix = 'parked-visit-'
/** As long as the longest emailed link is valid. */
const parkedMs = dayMs

type ParkedVisit = { until: number; given: Record<string, string> }

const readParked = (key: string): ParkedVisit | undefined => {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? '') as ParkedVisit
  } catch {
    return undefined
  }
}

function removeExpired(): void {
  const keys = Object.keys(window.localStorage).filter((key) => key.startsWith(parkedPrefix))
  for (const key of keys)
    if ((readParked(key)?.until ?? 0) < Date.now()) window.localStorage.removeItem(key)
}

/**
 * Stores a visit under a one-use name, because the emailed link may open in another window. Holds no
 * secrets; does nothing without storage.
 */
function parkVisit(visit: Record<string, string>): string | undefined {
  try {
    removeExpired()
    const name = crypto.randomUUID()
    const parked: ParkedVisit = { until: Date.now() + parkedMs, given: visit }
    window.localStorage.setItem(parkedPrefix + name, JSON.stringify(parked))
    return name
  } catch {
    return undefined
  }
}

function unparkVisit(name: string): Map<string, string> | undefined {
  try {
    removeExpired()
    const parked = readParked(parkedPrefix + name)
    window.localStorage.removeItem(parkedPrefix + name)
    return parked && new Map(Object.entries(parked.given))
  } catch {
    return undefined
  }
}

const watchers = new Set<() => void>()
let current = read()
let isRefused = false
/** The request that reports the visit is pending. */
let isGreeting = false

function read(): Visit | undefined {
  try {
    return JSON.parse(window.sessionStorage.getItem(storage) ?? '') as Visit
  } catch {
    return undefined
  }
}

function notifyWatchers(): void {
  for (const watcher of watchers) watcher()
}

function keep(visit: Visit): void {
  current = visit
  try {
    window.sessionStorage.setItem(storage, JSON.stringify(visit))
  } catch {
    // Without storage, the visit lasts as long as the page.
  }
  notifyWatchers()
}

const emptyVisit = (path: string, flow: Flow): Visit => ({
  path,
  flow,
  eid: '',
  addresses: '',
  address_json: '',
})

export const partnerPage = ({ path, flow }: Pick<Visit, 'path' | 'flow'>): string =>
  `/partner/${encodeURIComponent(path)}${pages[flow]}`

/** Reads the parameters of the visit and removes them from the URL before any other script can read them. */
function readArrival(): void {
  const { pathname, href, search } = window.location
  const [, part, rest = ''] = /^\/partner\/([^/]+)(\/link-email|\/manage)?\/?$/.exec(pathname) ?? []
  if (!part) return
  const inAddress = readParameters(search)
  const bareUrl = new URL(href)
  for (const name of [...bareUrl.searchParams.keys()])
    if (!stays.includes(name)) bareUrl.searchParams.delete(name)
  window.history.replaceState(window.history.state, '', bareUrl)

  const flow = (Object.keys(pages) as Flow[]).find((name) => pages[name] === rest) ?? 'create'
  const path = decodeText(part)
  const token = inAddress.get('refresh_token') ?? ''
  const mark = inAddress.get('continue')
  const isMailed = mark !== undefined
  const isParked = isMailed && mark !== visitMark
  const parked = isParked ? unparkVisit(mark) : undefined
  const value = (name: string): string => (parked ?? inAddress).get(name) ?? ''
  const isKnown = current?.path === path && current.flow === flow
  if (current && isKnown && !token && (isMailed || isSeenAgain())) {
    const { isOver: _, ...again } = current
    keep(again)
    return
  }
  keep({
    ...emptyVisit(path, flow),
    eid: value('eid'),
    addresses: value('addresses'),
    address_json: value('address_json'),
    ...(isParked && !parked ? { isLost: true } : {}),
  })
  // An emailed link continues a visit of another window, whose token stays valid.
  if (!isMailed || token) void reportVisit(path, token)
}

const siteOf = (path: string): string => `/partner/${encodeURIComponent(path)}`

/** Reports the visit to the site. Without a token, the site drops the session of an earlier visit. */
async function reportVisit(path: string, refresh_token: string): Promise<void> {
  isGreeting = refresh_token !== ''
  try {
    type VisitAnswer = { account: Account | null }
    const { account } = await callSite<VisitAnswer>('POST', `${siteOf(path)}/visit`, {
      refresh_token,
    })
    if (account && current?.path === path) keep({ ...current, sentAs: account })
  } catch {
    isRefused = isGreeting
  }
  isGreeting = false
  notifyWatchers()
}

function isSeenAgain(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const { type } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>
  return type === 'reload' || type === 'back_forward'
}

readArrival()

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
  /** Starts a visit when a partner page opens from within the app. */
  ensure(path: string, flow: Flow): void {
    if (current?.path !== path) keep(emptyVisit(path, flow))
    else if (current.flow !== flow) keep({ ...current, flow })
  },
  isGreeting: () => isGreeting,
  /** The visitor confirms the account and is signed in as it. */
  async confirm({ path, sentAs }: Visit): Promise<void> {
    const user_id = sentAs?.id ?? ''
    await session.follow(`${siteOf(path)}/confirm`, { user_id })
    // Cached data belongs to another account, or to a signed-out visitor.
    void queries.resetQueries({ predicate: ({ queryKey: [firstKey] }) => firstKey !== 'branding' })
    partnerVisit.change({ sentAs: undefined, confirmed: user_id })
  },
  /** The visitor rejects the account; the token is dropped. */
  async decline({ path }: Visit): Promise<void> {
    await callSite('POST', `${siteOf(path)}/visit`, {})
    partnerVisit.change({ sentAs: undefined })
  },
  /** The partner's token was rejected. True until the visitor signs in. */
  isRefused: () => isRefused,
  forgetRefusal(): void {
    isRefused = false
  },
}

/** The URL for an emailed link, which may open in a window without this visit. */
export function throughVisit(next: string | undefined): string | undefined {
  if (!current || current.isOver) return next
  const { eid, addresses, address_json } = current
  const own = partnerPage(current)
  const more: Record<string, string> = next && next !== own ? { next } : {}
  // Without the mark, this looks like a new visit, which would drop the session of the visitor.
  const whole = withParameters(own, { continue: visitMark, eid, ...more })
  const hasAddresses = addresses !== '' || address_json !== ''
  if (!hasAddresses && whole.length <= longestRedirect) return whole
  // Emails carry no addresses: a stranger could request one with addresses of their own.
  const mark = parkVisit({ eid, addresses, address_json }) ?? notStored
  const short = withParameters(own, { continue: mark, ...more })
  return short.length <= longestRedirect ? short : next
}

/** Returns the visitor to the partner with the agreed parameters. */
export async function goBackToPartner(path: string, action: Flow, eid = ''): Promise<void> {
  const body = { eid, action }
  const { location } = await callSite<{ location: string }>('POST', `${siteOf(path)}/return`, body)
  partnerVisit.change({ isOver: true })
  window.location.assign(location)
}
