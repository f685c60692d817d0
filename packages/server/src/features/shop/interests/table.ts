import type { Generated } from 'kysely'

/** A user who wants an email when an id becomes available. */
export type InterestsTable = {
  id: Generated<string>
  user_id: string
  emoji_id: string
  created_at: Date
  updated_at: Date
  notified_at: Date | null
}
