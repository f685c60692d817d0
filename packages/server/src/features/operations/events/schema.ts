import { type Static, Type } from 'typebox'
import { OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'

export const eventTypes = [
  'emoji_id.registered',
  'emoji_id.records_changed',
  'emoji_id.transferred',
  'emoji_id.released',
  'emoji_id.suspended',
  'emoji_id.restored',
  'order.paid',
  'order.refunded',
  'transfer.offered',
  'transfer.accepted',
] as const
export type EventType = (typeof eventTypes)[number]
export const EventTypeName = OneOf(eventTypes)

const Cursor = Type.String({ maxLength: 40, description: 'A place in the feed' })

export const Event = Type.Object({
  id: Type.String({ description: 'The same in every delivery of the event' }),
  type: EventTypeName,
  timestamp: Timestamp,
  cursor: Cursor,
  data: Type.Object(
    {
      emoji_id: Type.Optional(Type.String({ description: 'In canonical format' })),
      version: Type.Optional(
        Type.Integer({
          description: 'Grows with every event of the id: ignore an event with a lower version',
        }),
      ),
      tags: Type.Optional(
        Type.Array(Type.String(), { description: 'The categories of changed records' }),
      ),
      order_id: Type.Optional(Type.String({ format: 'uuid' })),
      organization_id: Type.Optional(
        Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
          description: 'The partner in whose flow the order was made',
        }),
      ),
      emoji_ids: Type.Optional(
        Type.Array(Type.String(), { description: 'Bought ids, or ids that a refund revoked' }),
      ),
      transfer_id: Type.Optional(Type.String({ format: 'uuid' })),
    },
    { description: 'Never contains an address: look the id up' },
  ),
})
export type Event = Static<typeof Event>

export const EventPage = Type.Object({
  data: Type.Array(Event),
  next: Type.String({
    description: 'Pass it as `after`. A page can be empty or short although more events follow.',
  }),
  withheld: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The kinds of events of accounts that an API key does not read for lack of a scope, or that `types` names without a sign-in',
    }),
  ),
})
export type EventPage = Static<typeof EventPage>

const typesPattern = '^[a-z_.]+(,[a-z_.]+)*$'

export const EventQuery = Type.Object({
  after: Type.Optional(Cursor),
  types: Type.Optional(
    Type.String({
      maxLength: 400,
      pattern: typesPattern,
      description: `Only these types, separated by commas: ${eventTypes.join(', ')}`,
    }),
  ),
  watch: Type.Optional(
    Type.String({ maxLength: 60, description: 'Only events of the ids of this watch' }),
  ),
  limit: Type.Integer({ minimum: 1, default: 100, description: 'At most 200 are returned' }),
})
export type EventQuery = Static<typeof EventQuery>

const watchedAtMost = 1_000

/** Either a list of ids, or the token of a watch to renew. */
export const WatchRequest = Type.Object({
  emoji_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: watchedAtMost }),
  ),
  watch: Type.Optional(Type.String({ maxLength: 60, description: 'Renews this watch' })),
})
export type WatchRequest = Static<typeof WatchRequest>

export const Watch = Type.Object({
  watch: Type.String({ description: 'Pass it as `watch` to GET /events' }),
  expires_at: Timestamp,
})
export type Watch = Static<typeof Watch>
