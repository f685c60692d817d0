import type { Principal } from '../../operations/access/index.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './deps.ts'
import { inspectIds, loadCurrentPrices } from './price-ids.ts'
import { isAvailable, isForSale, neighboursOf } from './rules.ts'

const alternatesShown = 12

export async function searchIds(deps: Deps, text: string, caller: Principal | undefined) {
  const id = readEmojiId(text)
  const table = await loadCurrentPrices(deps)
  const others = neighboursOf(id).filter((other) => isForSale(other, table))
  const { standingOf, describe } = await inspectIds(deps, [id, ...others], table, caller)
  const free = others.filter((other) => isAvailable(standingOf(other)))
  return { result: describe(id), alternates: free.slice(0, alternatesShown).map(describe) }
}
