import type { Database } from '../../tables.ts'
import type { EmojiIdsTable } from './table.ts'

type NewEmojiId = Pick<EmojiIdsTable, 'emoji_id' | 'display_format' | 'generation' | 'token_id'>

/** Takes the id; tells `false` when somebody has it. */
export async function insert(db: Database, id: NewEmojiId): Promise<boolean> {
  const taken = await db
    .insertInto('emoji_ids')
    .values(id)
    .onConflict((conflict) => conflict.doNothing())
    .returning('emoji_id')
    .executeTakeFirst()
  return taken !== undefined
}
