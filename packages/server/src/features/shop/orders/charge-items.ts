import { currentNetwork } from '../../../platform/request-id.ts'
import type { Deps } from './deps.ts'
import { costs } from './limits.ts'
import type { DisplayOrder } from './schema.ts'

/** Counts the items of a response: their number is known only afterwards. */
export async function chargeItems(
  { limits }: Deps,
  response: Promise<DisplayOrder>,
): Promise<DisplayOrder> {
  const order = await response
  limits.work.take(currentNetwork(), order.order_items.length * costs.shownItem)
  return order
}
