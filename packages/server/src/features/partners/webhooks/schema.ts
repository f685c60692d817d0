import { endpointStatuses, textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  Nullable,
  OneOf,
  ReasonText,
  SearchText,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { EventTypeName, eventTypes } from '../../operations/events/events.ts'
import type { DeliveryStatus, EndpointStatus, StatusReason } from './repository.ts'

const statusReasons: readonly StatusReason[] = [
  'gone',
  'failing',
  'access_lost',
  'key_revoked',
  'access_revoked',
  'operator',
]
const deliveryStatuses: readonly DeliveryStatus[] = [
  'waiting',
  'sending',
  'delivered',
  'failed',
  'cancelled',
]

const Uuid = Type.String({ format: 'uuid' })
const Cursor = Type.String({ maxLength: 40, description: 'A place in the feed of GET /events' })
const Url = Type.String({
  minLength: 1,
  ...textLengths.url,
  description: 'A public https address on port 443, without credentials',
})
const Types = Type.Array(EventTypeName, {
  maxItems: eventTypes.length,
  description: 'Only events of these types; empty: all types',
})

export const EndpointView = Type.Object({
  id: Uuid,
  organization_id: Nullable(Uuid),
  url: Type.String(),
  types: Type.Array(Type.String()),
  status: Type.Unsafe<EndpointStatus>({
    ...OneOf(endpointStatuses),
    description:
      'paused: events wait. disabled: new events are not queued; replay them later. stopped: by an operator',
  }),
  status_reason: Nullable(OneOf(statusReasons)),
  note: Nullable(Type.String({ description: 'The reason of the operator who stopped it' })),
  previous_secret_until: Nullable(Timestamp),
  failing_since: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  hold_until: Nullable({
    ...Timestamp,
    description: 'After a failed try, the endpoint gets no deliveries before this',
  }),
  replay_from: Nullable(
    Type.String({ description: 'Events after this cursor were not queued: replay from it' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type EndpointView = Static<typeof EndpointView>
export const EndpointList = Type.Array(EndpointView)
export const EndpointWithSecret = Type.Object({
  ...EndpointView.properties,
  secret: Type.String({ description: 'Begins with whsec_. Shown only in this response' }),
})

export const NewEndpoint = Type.Object({
  url: Url,
  types: Type.Optional(Types),
  organization_id: Type.Optional(Nullable(Uuid)),
})
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChange = Type.Object({
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  is_paused: Type.Optional(Type.Boolean({ description: 'false also resumes a disabled endpoint' })),
})
export type EndpointChange = Static<typeof EndpointChange>

export const OwnerQuery = Type.Object({ organization_id: Type.Optional(Uuid) })
export const EndpointParams = Type.Object({ id: Uuid })
export const DeliveryParams = Type.Object({ id: Uuid, delivery_id: Uuid })

export const DeliveryView = Type.Object({
  id: Uuid,
  event_id: Type.String({ description: 'Sent as webhook-id; the same in every try' }),
  type: Type.String(),
  emoji_id: Nullable(Type.String()),
  status: OneOf(deliveryStatuses),
  tries: Type.Integer(),
  response_status: Nullable(Type.Integer()),
  latency_ms: Nullable(Type.Integer()),
  answer: Nullable(Type.String({ description: 'The first 1,024 bytes of the response' })),
  error: Nullable(Type.String({ description: 'Why the last try failed without a 2xx response' })),
  created_at: Timestamp,
  last_tried_at: Nullable(Timestamp),
  next_try_at: Nullable(Timestamp),
})
export type DeliveryView = Static<typeof DeliveryView>
export const DeliveryQuery = Type.Object({
  ...pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  status: Type.Optional(OneOf(deliveryStatuses)),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const ReplayRequest = Type.Object({ after: Cursor })
export type ReplayRequest = Static<typeof ReplayRequest>
export const Replay = Type.Object({
  queued: Type.Integer(),
  next: Type.String({ description: 'Pass it as `after` unless the replay is complete' }),
  is_complete: Type.Boolean(),
})
export type Replay = Static<typeof Replay>

export const AdminEndpointView = Type.Object({
  ...EndpointView.properties,
  user_id: Uuid,
  user_email: Nullable(Type.String()),
  organization_name: Nullable(Type.String()),
  waiting: Type.Integer({ description: 'Deliveries that are not sent yet' }),
})
export const AdminEndpointQuery = Type.Object({
  ...pagingQuery(['created_at', 'url'], { sort: 'created_at', dir: 'Desc' }).properties,
  status: Type.Optional(OneOf(endpointStatuses)),
  q: SearchText('Part of an address, of an email address or of an organization, or an id'),
})
export type AdminEndpointQuery = Static<typeof AdminEndpointQuery>
export const EndpointStop = Type.Object({
  is_stopped: Type.Boolean({ description: 'false restores the endpoint, paused' }),
  reason: ReasonText,
})
export type EndpointStop = Static<typeof EndpointStop>
