import type { Generated, GeneratedAlways, Selectable } from 'kysely'

/** `stopped` is set by operators, and the owner cannot change it. */
export type EndpointStatus = 'active' | 'paused' | 'disabled' | 'stopped'

export type StatusReason =
  | 'gone'
  | 'failing'
  | 'access_lost'
  | 'key_revoked'
  | 'access_revoked'
  | 'operator'

export type DeliveryStatus = 'waiting' | 'sending' | 'delivered' | 'failed' | 'cancelled'

export type WebhookEndpointsTable = {
  id: Generated<string>
  /** The account that is responsible. */
  user_id: string
  /** The owner; null: the account itself. */
  organization_id: string | null
  /** The API key that made the endpoint. */
  api_key_id: string | null
  url: string
  /** Empty: all types. */
  types: string[]
  status: Generated<EndpointStatus>
  status_reason: StatusReason | null
  /** The operator's reason. */
  note: string | null
  sealed_secret: string
  /** Also signs until `previous_until`. */
  sealed_previous: string | null
  previous_until: Date | null
  /** The secret before the previous one also signs until `older_until`. */
  sealed_older: string | null
  older_until: Date | null
  /** The last delivery succeeded quickly. */
  is_healthy: Generated<boolean>
  /** Failed and slow tries since the last quick success. */
  setbacks: Generated<number>
  /** Failed tries since the last success. */
  failures: Generated<number>
  failing_since: Date | null
  /** No delivery before this. */
  hold_until: Date | null
  last_success_at: Date | null
  /** Events after this number were not queued, because the endpoint was disabled. */
  missed_after: number | null
  created_at: Date
  updated_at: Date
}

export type WebhookDeliveriesTable = {
  id: Generated<string>
  /** The oldest is sent first. */
  place: GeneratedAlways<number>
  endpoint_id: string
  event_id: string
  /** Null for a test event. */
  number: number | null
  type: string
  emoji_id: string | null
  /** The exact body, which is signed. */
  payload: string
  status: Generated<DeliveryStatus>
  tries: Generated<number>
  due_at: Date
  /** The dispatcher that sends it. */
  leased_by: string | null
  leased_until: Date | null
  response_status: number | null
  latency_ms: number | null
  /** The beginning of the response. */
  answer: string | null
  error: string | null
  last_tried_at: Date | null
  created_at: Date
}

/** One row: events up to this number have their deliveries. */
export type WebhookProgressTable = { only_row: Generated<boolean>; queued_number: number }

export type Endpoint = Selectable<WebhookEndpointsTable>
export type Delivery = Selectable<WebhookDeliveriesTable>
