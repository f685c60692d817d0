import { summaryOf } from '../../../platform/outside/page-summary.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { ProxyCall, ProxyResult } from './schema.ts'

export async function callProxy(
  deps: Deps,
  { user_id }: Principal,
  { service, data = '' }: ProxyCall,
): Promise<ProxyResult> {
  if (service === 'Echo') return rules.echo(data)
  return withinLimits(deps, user_id, () => scrapePage(deps, data.trim()))
}

/** Limits concurrent fetches, per user and in total. */
async function withinLimits<Result>(
  { fetching }: Deps,
  user_id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  rules.assertRoom(fetching.filter((other) => other === user_id).length, fetching.length)
  fetching.push(user_id)
  try {
    return await work()
  } finally {
    fetching.splice(fetching.indexOf(user_id), 1)
  }
}

async function scrapePage({ fetchPage }: Deps, address: string): Promise<ProxyResult> {
  const page = await fetchPage(address)
  if (!page) throw rules.unreadablePage()
  const json = await summaryOf(page)
  return { json, value: JSON.stringify(json) }
}
