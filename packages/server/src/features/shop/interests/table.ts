import type { Generated } from 'kysely'

/** Somebody wants to be mailed when an id becomes free. */
export type InterestsTable = {
  id: Generated<string>
  user_id: string
  emoji_id: string
  created_at: Date
  updated_at: Date
  /** When the one mail about it was queued. */
  notified_at: Date | null
}
