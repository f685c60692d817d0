import type { ColumnType, Generated } from 'kysely'

/** A file that shows an id, as its owner asked for with a store entry, and goes with that entry. */
export type PicturesTable = {
  emoji_id: string
  format: 'png' | 'gif' | 'mp4' | 'webm'
  /** Of the content; its name in addresses. */
  sha256: string
  /** Of what was drawn: the same drawing is not drawn again. */
  drawing_sha256: string
  content: Buffer
  created_at: ColumnType<Date, Date, never>
  store_key: Generated<string>
}
