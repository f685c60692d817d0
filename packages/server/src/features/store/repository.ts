import type { EmojiId } from '@emojid/core'
import type { Database } from '../../tables.ts'
import type { StoreKey } from './schema.ts'

/** The id's dates and its entries under the keys; `undefined` when it is not registered. */
export async function findEntries(db: Database, id: EmojiId, keys: readonly StoreKey[]) {
  const rows = await db
    .selectFrom('emoji_ids as e')
    .leftJoin('store_entries as s', (join) =>
      join.onRef('s.emoji_id', '=', 'e.emoji_id').on('s.key', 'in', keys),
    )
    .select(['e.created_at as id_created_at', 's.key', 's.data', 's.is_locked'])
    .select(['s.created_at', 's.updated_at', 's.locked_future_writes_at'])
    .where('e.emoji_id', '=', id)
    .execute()
  const [first] = rows
  return first && { created_at: first.id_created_at, rows }
}

export async function putEntry(db: Database, id: EmojiId, key: StoreKey, data: unknown) {
  const text = JSON.stringify(data)
  await db
    .insertInto('store_entries')
    .values({ emoji_id: id, key, data: text })
    .onConflict((conflict) =>
      conflict.columns(['emoji_id', 'key']).doUpdateSet({ data: text, updated_at: new Date() }),
    )
    .execute()
}
