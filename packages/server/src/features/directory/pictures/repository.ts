import { type ColumnType, type Generated, type Insertable, sql } from 'kysely'
import type { Range } from '../../../platform/http/unchanging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'

/** A picture of an id, drawn for a store entry and deleted with it. */
export type PicturesTable = {
  emoji_id: string
  format: 'png' | 'gif' | 'mp4' | 'webm'
  /** Hash of the content; also its file name. */
  sha256: string
  /** Hash of the drawing: the same drawing is not drawn again. */
  drawing_sha256: string
  content: Buffer
  created_at: ColumnType<Date, Date, never>
  store_key: Generated<string>
}

/** The id and the picture data of its owner; undefined if either is missing. */
export const findSubject = (db: Database, emoji_id: string) =>
  db
    .selectFrom('emoji_ids as id')
    .innerJoin('store_entries as entry', 'entry.emoji_id', 'id.emoji_id')
    .select(['id.display_format', 'id.pubkey', 'id.created_at as registered_at'])
    .select(['entry.data', 'entry.updated_at as stored_at'])
    .where('id.emoji_id', '=', emoji_id)
    .where('entry.key', '=', 'VisualizerData')
    .executeTakeFirst()

export const findDrawn = (db: Database, emoji_id: string, drawing_sha256: string) =>
  db
    .selectFrom('pictures')
    .select(['format', 'sha256'])
    .where('emoji_id', '=', emoji_id)
    .where('drawing_sha256', '=', drawing_sha256)
    .execute()

/** Replaces all pictures of an id. */
export async function replace(
  trx: Transaction,
  emoji_id: string,
  pictures: readonly Omit<Insertable<Tables['pictures']>, 'emoji_id'>[],
): Promise<void> {
  await trx.deleteFrom('pictures').where('emoji_id', '=', emoji_id).execute()
  await trx
    .insertInto('pictures')
    .values(pictures.map((picture) => ({ emoji_id, ...picture })))
    .execute()
}

/** The length of a picture; its content is megabytes, and most requests need none or a part. */
export const findPicture = (db: Database, sha256: string, format: Tables['pictures']['format']) =>
  db
    .selectFrom('pictures')
    .innerJoin('emoji_ids as id', 'id.emoji_id', 'pictures.emoji_id')
    .select(['id.emoji_id', 'id.suspended_at'])
    .select(sql<number>`octet_length(content)`.as('length'))
    .where('sha256', '=', sha256)
    .where('format', '=', format)
    // Two ids can have the same picture.
    .orderBy('id.suspended_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()

/** A part of the content; undefined if the picture was replaced meanwhile. */
export const findPart = (
  db: Database,
  { sha256, format }: { sha256: string; format: Tables['pictures']['format'] },
  { first, last }: Range,
) =>
  db
    .selectFrom('pictures')
    .select(sql<Buffer>`substring(content from ${first + 1} for ${last - first + 1})`.as('content'))
    .where('sha256', '=', sha256)
    .where('format', '=', format)
    .limit(1)
    .executeTakeFirst()
