import type { PageFetcher } from '../../platform/outside/fetch-page.ts'
import { summaryOf } from '../../platform/outside/page-summary.ts'
import type { Principal } from '../access/index.ts'
import * as rules from './rules.ts'
import type { ProxyCall, ProxyResult } from './schema.ts'

export type ProxyServices = ReturnType<typeof createProxy>

/** What web pages cannot do by themselves, done for them. */
export function createProxy({ fetchPage }: { fetchPage: PageFetcher }) {
  /** Whose pages are being fetched right now. */
  const underWay: string[] = []

  const inTurn = async <Result>(user_id: string, work: () => Promise<Result>): Promise<Result> => {
    rules.assertRoom(underWay.filter((other) => other === user_id).length, underWay.length)
    underWay.push(user_id)
    try {
      return await work()
    } finally {
      underWay.splice(underWay.indexOf(user_id), 1)
    }
  }

  const scrape = async (address: string): Promise<ProxyResult> => {
    const page = await fetchPage(address)
    if (!page) throw new rules.UnreadablePageError()
    const json = await summaryOf(page)
    return { json, value: JSON.stringify(json) }
  }

  return {
    async call({ user_id }: Principal, { service, data = '' }: ProxyCall): Promise<ProxyResult> {
      if (service === 'Echo') return rules.echo(data)
      return inTurn(user_id, () => scrape(data.trim()))
    },
  }
}
