import { randomInt } from 'node:crypto'
import { transact } from '../../platform/database/database.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { Transaction } from '../../tables.ts'
import type { Principal } from '../operations/access/access.ts'
import type { Deps } from './lootboxes.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { NewLootboxType } from './schema.ts'

export function insertType(
  { now }: Deps,
  trx: Transaction,
  { name, description, config, price_in_cents }: NewLootboxType,
) {
  return boxes.insertType(trx, {
    name: name.trim(),
    description,
    config: JSON.stringify(config),
    price_in_cents: price_in_cents ?? null,
    created_at: now(),
    exhausted_at: null,
  })
}

export async function createType(
  deps: Deps,
  { user_id: actor_id }: Principal,
  body: NewLootboxType,
) {
  const { db, audit } = deps
  rules.assertSound(body.config)
  // Ids of rare scores take long to find: yield to other requests in between.
  for (const range of rules.rangesOf(body.config)) {
    await takeTurn()
    rules.assertFindable(body.config, range, (below) => randomInt(below))
  }
  return transact(db, async (trx) => {
    const type = await insertType(deps, trx, body)
    const details = { lootbox_type_id: type.id, name: type.name, reason: body.reason }
    await audit.writeEntry(trx, 'lootbox_type.created', { actor_id, details })
    return rules.showType(type)
  })
}
