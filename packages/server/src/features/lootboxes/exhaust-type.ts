import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import type { LootboxType } from './repository.ts'
import * as boxes from './repository.ts'

/** Locks the type against other draws; returns undefined if it is exhausted. */
export async function lockTypeToDraw(
  trx: Transaction,
  id: string,
): Promise<LootboxType | undefined> {
  const type = await boxes.findTypeToDraw(trx, id)
  return type?.exhausted_at === null ? type : undefined
}

/** Marks a type as exhausted: it draws no more boxes. */
export async function exhaustType(
  { now, audit }: Deps,
  trx: Transaction,
  actor_id: string,
  id: string,
): Promise<void> {
  await boxes.setExhausted(trx, id, now())
  const details = { lootbox_type_id: id }
  await audit.writeEntry(trx, 'lootbox_type.exhausted', { actor_id, details })
}
