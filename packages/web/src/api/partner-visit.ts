import { decoded, readParameters, withParameters } from './parameters.ts'
import { park, unpark } from './parked-visits.ts'
import { queries } from './query-client.ts'
import { callSite, session } from './session.ts'

export type Flow = 'create' | 'connect' | 'manage'

type Account = { id: string; name: string; is_confirmed: boolean }

/** Somebody whom a partner sent, and what came along: no secrets, the token is not among it. */
export type Visit = {
  path: string
  flow: Flow
  eid: string
  addresses: string
  address_json: string
  /** The account behind the token that came along, until somebody said that it is theirs. */
  sentAs?: Account | undefined
  /** The account that somebody said is theirs. */
  confirmed?: string
  /** Whoever signs in by themselves need not say so. */
  signsInHere?: true
  /** What came along stayed in another browser. */
  isLost?: true
  /** They went back. */
  isOver?: true
}

const pages: Record<Flow, string> = { create: '', connect: '/link-email', manage: '/manage' }
const storage = 'partner-visit'
/** All that stays in the address: what a mailed link brings, and what our own pages write. */
const stays = ['code', 'id', 'next']
/** A mailed link that brings everything along by itself. */
const here = '1'
/** What a mailed link may be asked to lead to. */
const longestRedirect = 1_000

const watchers = new Set<() => void>()
let current = read()
let isRefused = false
/** The site is being told who came. */
let isGreeting = false

function read(): Visit | undefined {
  try {
    return JSON.parse(window.sessionStorage.getItem(storage) ?? '') as Visit
  } catch {
    return undefined
  }
}

function tell(): void {
  for (const watcher of watchers) watcher()
}

function keep(visit: Visit): void {
  current = visit
  try {
    window.sessionStorage.setItem(storage, JSON.stringify(visit))
  } catch {
    // Without storage the visit lasts as long as the page.
  }
  tell()
}

const emptyVisit = (path: string, flow: Flow): Visit => ({
  path,
  flow,
  eid: '',
  addresses: '',
  address_json: '',
})

/** The address of a page of a partner. */
export const partnerPage = ({ path, flow }: Pick<Visit, 'path' | 'flow'>): string =>
  `/partner/${encodeURIComponent(path)}${pages[flow]}`

/** Takes along what came in the address, which loses it before anything else looks at it. */
function arrive(): void {
  const { pathname, href, search } = window.location
  const [, part, rest = ''] = /^\/partner\/([^/]+)(\/link-email|\/manage)?\/?$/.exec(pathname) ?? []
  if (!part) return
  const inAddress = readParameters(search)
  const bare = new URL(href)
  for (const name of [...bare.searchParams.keys()])
    if (!stays.includes(name)) bare.searchParams.delete(name)
  window.history.replaceState(window.history.state, '', bare)

  const flow = (Object.keys(pages) as Flow[]).find((name) => pages[name] === rest) ?? 'create'
  const path = decoded(part)
  const token = inAddress.get('refresh_token') ?? ''
  const mark = inAddress.get('continue')
  const isMailed = mark !== undefined
  const isParked = isMailed && mark !== here
  const parked = isParked ? unpark(mark) : undefined
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
  // A mailed link goes on with a visit of another window, whose token waits where it was.
  if (!isMailed || token) void greet(path, token)
}

const siteOf = (path: string): string => `/partner/${encodeURIComponent(path)}`

/** Tells the site who came, or that nobody did, which makes it forget who came before. */
async function greet(path: string, refresh_token: string): Promise<void> {
  isGreeting = refresh_token !== ''
  try {
    type Told = { account: Account | null }
    const { account } = await callSite<Told>('POST', `${siteOf(path)}/visit`, { refresh_token })
    if (account && current?.path === path) keep({ ...current, sentAs: account })
  } catch {
    isRefused = isGreeting
  }
  isGreeting = false
  tell()
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
  isGreeting: () => isGreeting,
  /** Somebody says that the account is theirs, and is signed in as it from now on. */
  async confirm({ path, sentAs }: Visit): Promise<void> {
    const user_id = sentAs?.id ?? ''
    await session.follow(`${siteOf(path)}/confirm`, { user_id })
    // What was asked before was asked as somebody else, or as nobody.
    void queries.resetQueries({ predicate: ({ queryKey: [what] }) => what !== 'branding' })
    partnerVisit.change({ sentAs: undefined, confirmed: user_id })
  },
  /** Somebody says that the account is not theirs: the token is forgotten. */
  async decline({ path }: Visit): Promise<void> {
    await callSite('POST', `${siteOf(path)}/visit`, {})
    partnerVisit.change({ sentAs: undefined })
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
  const given = { eid, addresses, address_json }
  const own = partnerPage(current)
  const more: Record<string, string> = next && next !== own ? { next } : {}
  // Without the mark nobody would know it from a new visit, which forgets who came.
  const whole = withParameters(own, { continue: here, ...given, ...more })
  if (whole.length <= longestRedirect) return whole
  const short = withParameters(own, { continue: park(given) ?? here, ...more })
  return short.length <= longestRedirect ? short : next
}

/** Back to the partner, with what is theirs to know. */
export async function goBackToPartner(path: string, action: Flow, eid = ''): Promise<void> {
  const body = { eid, action }
  const { location } = await callSite<{ location: string }>('POST', `${siteOf(path)}/return`, body)
  partnerVisit.change({ isOver: true })
  window.location.assign(location)
}
