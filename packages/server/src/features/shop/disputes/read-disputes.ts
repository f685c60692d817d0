import { toPage } from '../../../platform/http/api/paging.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { DisputeRow, Ledger } from '../ledger/ledger.ts'
import { assertNotOwn, isBox, type OrderItem, orderNumber } from '../orders/orders.ts'
import type { Deps } from './disputes.ts'
import * as rules from './rules.ts'
import type { DisputeFacts, DisputeView } from './schema.ts'

type DisputeQuery = Parameters<Ledger['listDisputes']>[0]

export const findBoxes = (items: readonly OrderItem[]): string[] =>
  items.filter(isBox).map(({ lootbox_id }) => lootbox_id)

export async function showDispute(deps: Deps, id: string): Promise<DisputeFacts> {
  const { ledger, orders, db, emojiIds, transfers, organizations, lootboxSales } = deps
  const dispute = await ledger.findDispute(id)
  if (!dispute) throw rules.unknownDispute()
  const [view] = await showDisputes(deps, [dispute])
  const ownedIds = await emojiIds.findIdsOfOrder(dispute.order_id)
  const [order] = await orders.loadOrders(db, [dispute.order_id])
  const moves = await transfers.listAcceptedTransfers(
    ownedIds.map(({ emoji_id }) => emoji_id),
    order?.paid_at ?? dispute.created_at,
  )
  const people = moves.flatMap(({ sender_id, recipient_id }) =>
    [sender_id, recipient_id ?? []].flat(),
  )
  const users = await usersOf(deps, [
    ...people,
    ...ownedIds.flatMap(({ user_id }) => user_id ?? []),
  ])
  const names = new Map<string, string>()
  for (const organization_id of new Set(ownedIds.flatMap((one) => one.organization_id ?? []))) {
    names.set(
      organization_id,
      (await organizations.findOrganization(db, organization_id))?.name ?? '',
    )
  }
  const boxes = await lootboxSales.findLootboxes(db, findBoxes(order?.items ?? []))
  const { user } = view as DisputeView
  return {
    ...(view as DisputeView),
    ids: ownedIds.map((one) => ({
      emoji_id: one.emoji_id,
      display_format: one.display_format,
      minted: one.minted,
      place: rules.placeOf(one, user.id),
      frozen: one.frozen_at !== null,
      owner: users.get(one.user_id ?? '') ?? null,
      handed_on: moves
        .filter(({ emoji_id }) => emoji_id === one.emoji_id)
        .map(({ accepted_at, sender_id, recipient_id }) => ({
          at: accepted_at as Date,
          from: users.get(sender_id) ?? null,
          to: users.get(recipient_id ?? '') ?? null,
        })),
      organization: one.organization_id
        ? { id: one.organization_id, name: names.get(one.organization_id) ?? '' }
        : null,
      signed_until: one.signed_until,
    })),
    lootboxes: boxes
      .filter(({ order_id }) => order_id === dispute.order_id)
      .map(({ id: box_id, status, frozen_at }) => ({
        id: box_id,
        status,
        frozen: frozen_at !== null,
      })),
  }
}

/** Loads a dispute under the lock of its order, for an operator who is not its buyer. */
export async function loadDispute(
  { ledger, orders }: Deps,
  trx: Transaction,
  caller: Principal,
  id: string,
) {
  const foundDispute = await ledger.findDispute(id, trx)
  if (!foundDispute) throw rules.unknownDispute()
  const order = await orders.loadToChange(trx, foundDispute.order_id)
  assertNotOwn(caller, order)
  const dispute = (await ledger.findDispute(id, trx)) as DisputeRow
  return { order, dispute }
}

export async function listDisputes(deps: Deps, query: DisputeQuery) {
  const { ledger } = deps
  const { rows, total } = await ledger.listDisputes(query)
  return toPage(await showDisputes(deps, rows), total, query)
}

async function usersOf({ accounts }: Deps, ids: readonly string[]) {
  const users = await accounts.showAccountsOf([...new Set(ids)])
  return new Map(users.map((user) => [user.id, user]))
}

async function showDisputes(deps: Deps, rows: readonly DisputeRow[]): Promise<DisputeView[]> {
  const { orders } = deps
  const orderRows = await Promise.all(rows.map(({ order_id }) => orders.findOrder(order_id)))
  const buyers = orderRows.flatMap((order) => order?.user_id ?? [])
  const deciders = rows.flatMap(({ decided_by }) => decided_by ?? [])
  const byId = await usersOf(deps, [...buyers, ...deciders])
  return rows.map(({ payment_id: _payment, taken_in_cents: _taken, ...row }, nth) => ({
    ...row,
    order_number: orderNumber({ id: row.order_id }),
    user: byId.get(orderRows[nth]?.user_id ?? '') as DisputeView['user'],
    decided_by_user: byId.get(row.decided_by ?? '') ?? null,
  }))
}
