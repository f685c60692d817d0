import { toPage } from '../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertScope, type Principal } from '../operations/access/access.ts'
import type { Deps } from './lootboxes.ts'
import { findTypes, loadType } from './read-types.ts'
import type { Box } from './repository.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxQuery, LootboxView } from './schema.ts'

export async function showLootboxes(
  { db, accounts }: Deps,
  boxes: readonly Box[],
  viewer: rules.Viewer,
  from: Database = db,
): Promise<LootboxView[]> {
  const types = await findTypes(from, withoutNulls(boxes.map((box) => box.lootbox_type_id)))
  const ownerIds = withoutNulls(boxes.map(({ owner_id }) => owner_id))
  const users = await accounts.showAccountsOf(ownerIds, from)
  const owners = new Map(users.map((user) => [user.id, user]))
  return boxes.map((box) =>
    rules.showBox(
      box,
      viewer,
      types.get(box.lootbox_type_id ?? ''),
      owners.get(box.owner_id ?? ''),
    ),
  )
}

export async function showLootbox(deps: Deps, box: Box, viewer: rules.Viewer, from?: Transaction) {
  const [view] = await showLootboxes(deps, [box], viewer, from)
  return view as LootboxView
}

export async function loadLootboxToChange(trx: Transaction, id: string): Promise<Box> {
  const box = await boxes.findToChange(trx, id)
  if (!box) throw rules.unknownLootbox()
  return box
}

export const findLootboxes = async (from: Database, ids: readonly string[]) =>
  ids.length === 0 ? [] : boxes.findAll(from, ids)

export async function listLootboxes(deps: Deps, caller: Principal, query: LootboxQuery) {
  const { db, accounts, now, isSold } = deps
  await boxes.claim(db, caller.user_id, now())
  const { owner_id, status, lootbox_type_id } = query
  const isOperator = rules.mayReadAll(caller)
  if (owner_id !== undefined && owner_id !== caller.user_id) {
    assertScope(caller, 'adminLootbox:read')
    await accounts.loadAccount(owner_id)
  }
  if (lootbox_type_id !== undefined) await loadType(deps, lootbox_type_id)
  const isForSale = !isOperator && isSold && status === 'Available' && owner_id === undefined
  const own = isOperator || isForSale ? {} : { owner_id: caller.user_id }
  const forSaleTo = isForSale ? { user_id: caller.user_id, at: now() } : undefined
  const page = await boxes.findPage(db, { ...query, ...own }, forSaleTo)
  const views = await showLootboxes(deps, page.rows, isOperator ? 'whole' : 'stripped')
  return toPage(views, page.total, query)
}

export async function showLootboxTo(
  deps: Deps,
  caller: Principal,
  id: string,
): Promise<LootboxView> {
  const { db, now, isSold } = deps
  await boxes.claim(db, caller.user_id, now())
  const box = await boxes.find(db, id)
  const isOperator = rules.mayReadAll(caller)
  if (!box) throw rules.unknownLootbox()
  const view = await showLootbox(deps, box, isOperator ? 'whole' : 'stripped')
  const isOffered = isSold && box.status === 'Available' && view.lootbox_type?.price_in_cents
  if (!isOperator && !isOffered && box.owner_id !== caller.user_id) {
    throw rules.unknownLootbox()
  }
  return view
}

const withoutNulls = (ids: readonly (string | null)[]): string[] => ids.filter((id) => id !== null)
