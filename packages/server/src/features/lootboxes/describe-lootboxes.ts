import type { Database } from '../../tables.ts'
import { findLootboxes } from './read-lootboxes.ts'
import { findTypes } from './read-types.ts'

/** The names of boxes on receipts. */
export async function nameLootboxes(from: Database, ids: readonly string[]) {
  const lootboxes = await findLootboxes(from, ids)
  const typeIds = lootboxes.flatMap(({ lootbox_type_id }) => lootbox_type_id ?? [])
  const types = await findTypes(from, typeIds)
  return new Map(
    lootboxes.map(({ id, status, lootbox_type_id }) => {
      const name = types.get(lootbox_type_id ?? '')?.name
      const waits = status === 'Owned' ? ', waits for you to open it' : ''
      return [id, name === undefined ? `Lootbox${waits}` : `${name} (lootbox${waits})`]
    }),
  )
}

export async function findLootboxOwners(from: Database, ids: readonly string[]) {
  const lootboxes = await findLootboxes(from, ids)
  return new Map(
    lootboxes.map(({ id, owner_id, order_id, status }) => [
      id,
      { user_id: owner_id, order_id, opened: status === 'Used' },
    ]),
  )
}
