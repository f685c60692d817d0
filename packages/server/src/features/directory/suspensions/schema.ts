import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, SearchText, Timestamp } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

export const IdParams = Type.Object({ emoji_id: EmojiIdText })

const Uuid = Type.String({ format: 'uuid' })

export const SuspensionState = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  canonical_format: Type.String(),
  suspended_at: Nullable(Timestamp),
  reason: Nullable(Type.String()),
  with_owner: Type.Boolean({
    description: 'Suspended because the account of its owner was deactivated',
  }),
  user_id: Nullable(Uuid),
  organization_id: Nullable(Uuid),
})
export type SuspensionState = Static<typeof SuspensionState>
const SuspensionEntry = Type.Object({
  ...SuspensionState.properties,
  owner_email: Nullable(Type.String()),
  organization_name: Nullable(Type.String()),
  suspended_by: Nullable(Uuid),
  suspended_by_email: Nullable(Type.String()),
})
export const SuspensionPage = pageOf(SuspensionEntry)

export const SuspensionQuery = Type.Object({
  ...pagingQuery(['suspended_at'], { sort: 'suspended_at', dir: 'Desc' }).properties,
  q: SearchText(
    'An id, or part of the reason, of the email address of the owner or operator, or of the organization',
  ),
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only ids of this user' })),
})
export type SuspensionQuery = Static<typeof SuspensionQuery>
