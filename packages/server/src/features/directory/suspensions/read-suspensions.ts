import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/paging.ts'
import { type OwnedId, readEmojiId, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './deps.ts'
import * as suspensions from './repository.ts'
import type { SuspensionQuery, SuspensionState } from './schema.ts'

type SuspendedId = Pick<
  OwnedId,
  | 'emoji_id'
  | 'display_format'
  | 'suspended_at'
  | 'suspension_reason'
  | 'suspended_with_owner'
  | 'user_id'
  | 'organization_id'
>

export const showState = (ownedId: SuspendedId): SuspensionState => ({
  emoji_id: ownedId.display_format,
  canonical_format: ownedId.emoji_id,
  suspended_at: ownedId.suspended_at,
  reason: ownedId.suspension_reason,
  with_owner: ownedId.suspended_with_owner,
  user_id: ownedId.user_id,
  organization_id: ownedId.organization_id,
})

export async function listSuspensions({ accounts, db }: Deps, query: SuspensionQuery) {
  if (query.user_id !== undefined) await accounts.loadAccount(query.user_id)
  const { rows, total } = await suspensions.findPage(db, readSearchedId(query.q), query)
  const entries = rows.map((row) => ({
    ...showState(row),
    owner_email: row.owner_email,
    organization_name: row.organization_name,
    suspended_by: row.suspended_by,
    suspended_by_email: row.suspended_by_email,
  }))
  return toPage(entries, total, query)
}

/** The id that a search names in any spelling; null if it names none. */
function readSearchedId(text = ''): EmojiId | null {
  try {
    return readEmojiId(text)
  } catch {
    return null
  }
}

export async function showSuspension({ emojiIds }: Deps, id: EmojiId) {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  return showState(ownedId)
}
