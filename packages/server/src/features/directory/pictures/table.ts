import type { ColumnType, Generated } from 'kysely'

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
