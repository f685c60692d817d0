import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'

export const notificationsPerPage = 50
const Uuid = Type.String({ format: 'uuid' })

export const NotificationQuery = Type.Object({
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next` of the previous response' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    default: notificationsPerPage,
    description: 'At most 50 are returned',
  }),
})
export type NotificationQuery = Static<typeof NotificationQuery>

const Unread = Type.Integer({ description: 'Unread notifications of the account' })

export const NotificationPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Uuid,
      kind: Type.String({ description: 'The kind of event, such as transfer_received' }),
      title: Type.String(),
      text: Type.String(),
      page: Type.String({ description: 'Path at the web site where the user can act' }),
      created_at: Timestamp,
      read_at: Nullable(Timestamp),
    }),
  ),
  next: Nullable(Uuid),
  unread: Unread,
})

export const ReadRequest = Type.Object({
  up_to: Type.String({
    format: 'uuid',
    description: 'This notification and all older ones are marked as read',
  }),
})
export const ReadAnswer = Type.Object({ unread: Unread })
