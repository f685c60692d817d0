import { toPage } from '../../../platform/http/api/paging.ts'
import { assertOneOwner, readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { unknownOrganization } from '../../identity/organizations/organizations.ts'
import { assertScope, type Principal } from '../../operations/access/access.ts'
import { chargePage } from './charge-items.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { OrderQuery } from './schema.ts'
import { inParts, showOrders } from './show-order.ts'

/** The caller's orders, all orders for operators, or the sales of a partner. */
export async function listOrders(deps: Deps, caller: Principal, request: OrderQuery) {
  assertOneOwner(request)
  const { emoji_id: text } = request
  const query = text === undefined ? request : { ...request, emoji_id: readEmojiId(text) }
  const { db, accounts, organizations } = deps
  const { user_id = caller.user_id, organization_id } = query
  const mayReadAll = caller.scopes.has('order:read')
  if (organization_id !== undefined) {
    if (!(await organizations.findOrganization(db, organization_id))) throw unknownOrganization()
    return mayReadAll ? listOrdersOfPartner(deps, query) : listSales(deps, caller, query)
  }
  if (user_id !== caller.user_id) {
    assertScope(caller, 'order:read')
    await accounts.loadAccount(user_id)
  }
  const isOpen = mayReadAll && query.user_id === undefined
  const page = await findChargedPage(deps, isOpen ? query : { ...query, user_id })
  const data = await inParts(deps, page.rows, (part) => showOrders(deps, part, mayReadAll))
  return toPage(data, page.total, query)
}

async function findChargedPage(deps: Deps, filter: orders.OrderFilter) {
  const page = await orders.findPage(deps.db, filter)
  await chargePage(deps, page.rows)
  return page
}

async function listOrdersOfPartner(deps: Deps, query: OrderQuery) {
  const { db } = deps
  const page = await findChargedPage(deps, query)
  const data = await inParts(deps, page.rows, async (part) => {
    const views = await showOrders(deps, part, true)
    return views.map((order, nth) => ({ ...order, ...feeOf(part[nth]) }))
  })
  return { ...toPage(data, page.total, query), sums: await orders.sumSales(db, query) }
}

async function listSales(deps: Deps, caller: Principal, query: OrderQuery) {
  const { db } = deps
  rules.assertMayListSales(caller, query)
  const filter = { ...query, isSale: true }
  const page = await findChargedPage(deps, filter)
  const sums = await orders.sumSales(db, filter)
  const data = await inParts(deps, page.rows, async (part) => part.map(rules.saleOf))
  return { ...toPage(data, page.total, query), sums }
}

const feeOf = (order: LoadedOrder | undefined) => ({
  client_fee_in_cents: order ? rules.saleOf(order).client_fee_in_cents : 0,
})
