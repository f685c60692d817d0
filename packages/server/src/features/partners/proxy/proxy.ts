import { bindUseCases } from '../../../platform/bind.ts'
import { wideNetworkOf } from '../../../platform/http/network.ts'
import type { PageFetcher } from '../../../platform/outside/fetch-page.ts'
import { summaryOf } from '../../../platform/outside/page-summary.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { ProxyCall, ProxyResult } from './routes.ts'
import * as rules from './rules.ts'

export type Options = { fetchPage: PageFetcher }

type Deps = Options & {
  /** The running fetches. */
  fetching: { user_id: string; network: string }[]
}

export type ProxyServices = ReturnType<typeof createProxy>

/** Requests that web pages cannot make because of CORS. */
export function createProxy(options: Options) {
  const deps: Deps = { ...options, fetching: [] }
  return bindUseCases(deps, { callProxy })
}

async function callProxy(
  deps: Deps,
  { user_id }: Principal,
  { service, data = '' }: ProxyCall,
): Promise<ProxyResult> {
  if (service === 'Echo') return rules.echo(data)
  return withinLimits(deps, user_id, () => scrapePage(deps, data.trim()))
}

/** Limits concurrent fetches, per user, per wide network and in total. */
async function withinLimits<Result>(
  { fetching }: Deps,
  user_id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const fetch = { user_id, network: wideNetworkOf(currentNetwork()) }
  rules.assertRoom({
    ofCaller: fetching.filter((other) => other.user_id === user_id).length,
    ofNetwork: fetching.filter(({ network }) => network === fetch.network).length,
    ofAll: fetching.length,
  })
  fetching.push(fetch)
  try {
    return await work()
  } finally {
    fetching.splice(fetching.indexOf(fetch), 1)
  }
}

async function scrapePage({ fetchPage }: Deps, address: string): Promise<ProxyResult> {
  const page = await fetchPage(address)
  if (!page) throw rules.unreadablePage()
  const json = await summaryOf(page)
  return { json, value: JSON.stringify(json) }
}
