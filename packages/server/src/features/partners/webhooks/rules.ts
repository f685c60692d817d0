import { createHmac, randomBytes } from 'node:crypto'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import type { PostAnswer, PostFailure, PostOutcome } from '../../../platform/outside/post-body.ts'
import { readAddress } from '../../../platform/outside/reach.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../platform/time.ts'
import type { Delivery, Endpoint } from './table.ts'

export const endpointsAtMost = 20
export const testsWaitingAtMost = 20
export const replayedAtOnce = 1_000
/** A replay looks at no more events than this, however few of them it queues. */
export const scannedAtMost = 20_000

export const previousSecretMs = dayMs
const retentionMs = 30 * dayMs
export const startOfRetention = (now: Date): Date => new Date(now.getTime() - retentionMs)

/** A secret of Standard Webhooks: 32 random bytes after the prefix. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Binds a sealed secret to its row. */
export const secretContext = (id: string): string => `webhook secret ${id}`

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** The headers of Standard Webhooks, with one signature per secret. */
export function signedHeaders(
  { event_id, payload }: Pick<Delivery, 'event_id' | 'payload'>,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / secondMs))
  const content = `${event_id}.${timestamp}.${payload}`
  return {
    'content-type': 'application/json',
    'user-agent': 'emojid-webhooks',
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  }
}

/** Only https, except in the demonstration. */
export function readUrl(text: string, allowsHttp: boolean): string {
  const url = readAddress(text)
  if (!url || (url.protocol !== 'https:' && !allowsHttp)) throw invalidUrl(allowsHttp)
  return url.href
}

/** The address as operators see it: its query can hold a token. */
export const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Waits between ten tries: about three days together. */
const waits = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  4 * hourMs,
  10 * hourMs,
  20 * hourMs,
  36 * hourMs,
]
const triesAtMost = waits.length + 1
const longestRetryAfterMs = dayMs
const quickMs = 2 * secondMs
const longestHoldMs = minuteMs
/** An endpoint that fails this long is disabled, even if none of its deliveries had ten tries. */
const failingAtMostMs = 4 * dayMs

/** Spreads retries, so that failed deliveries do not come back together. */
const jitter = (ms: number): number => Math.round(ms * (0.9 + 0.2 * Math.random()))

export const isSuccess = (outcome: PostOutcome): outcome is { answer: PostAnswer } =>
  'answer' in outcome && outcome.answer.status >= 200 && outcome.answer.status < 300

export const isQuick = (latency_ms: number): boolean => latency_ms < quickMs

export type Verdict = {
  delivery: Pick<Delivery, 'status' | 'due_at' | 'error'>
  endpoint: Pick<Endpoint, 'is_healthy' | 'failures' | 'failing_since' | 'hold_until'>
  /** Why the endpoint is disabled. */
  disables: 'gone' | 'failing' | undefined
}

/** Decides the next state of a delivery and its endpoint after a failed try. */
export function judgeFailure(
  outcome: PostOutcome,
  tries: number,
  endpoint: Pick<Endpoint, 'failures' | 'failing_since'>,
  now: Date,
): Verdict {
  const status = 'answer' in outcome ? outcome.answer.status : 0
  const failing_since = endpoint.failing_since ?? now
  const failures = endpoint.failures + 1
  const backOffMs = 'answer' in outcome ? retryAfterMs(outcome.answer.retry_after, now) : 0
  const holdMs = Math.min(longestHoldMs, secondMs * 2 ** Math.min(failures - 1, 10))
  const isLast = tries >= triesAtMost
  const isGone = status === 410
  const isExhausted = isLast || now.getTime() - failing_since.getTime() > failingAtMostMs
  return {
    delivery: {
      status: isLast || isGone ? 'failed' : 'waiting',
      due_at: later(now, Math.max(backOffMs, jitter(waits[tries - 1] ?? 0))),
      error: errorOf(outcome),
    },
    endpoint: {
      is_healthy: false,
      failures,
      failing_since,
      hold_until: later(now, Math.max(backOffMs, jitter(holdMs))),
    },
    disables: isGone ? 'gone' : isExhausted ? 'failing' : undefined,
  }
}

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

/** The delay of a Retry-After header (RFC 9110, 10.2.3), at most a day. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  const text = header.trim()
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : 0
}

const failures: Record<PostFailure, string> = {
  not_allowed: 'The name of the host has no public address.',
  timeout: 'The endpoint did not respond within 15 seconds.',
  connection: 'The connection failed.',
  bad_answer: 'The response is not valid HTTP.',
}

function errorOf(outcome: PostOutcome): string {
  if ('failure' in outcome) return failures[outcome.failure]
  const { status } = outcome.answer
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? `The endpoint responded ${status}. Redirects are not followed.`
    : `The endpoint responded ${status}.`
}

/** The most deliveries that an endpoint gets at once. */
export const lanesAtMost = 4
export const lanesOf = (isHealthy: boolean): number => (isHealthy ? lanesAtMost : 1)

/**
 * Connections of one process. Slow and failing endpoints cannot take those of the others, and no
 * owner and no host can take them all.
 */
export const connections = {
  healthy: { inTotal: 128, perOwner: 32 },
  other: { inTotal: 128, perOwner: 8 },
  perHost: 16,
}

export const hostOf = (url: string): string => new URL(url).host

const reasons = {
  gone: 'it responded 410 Gone',
  failing: 'deliveries to it failed for days',
} as const

export const disabledSentence = (url: string, reason: keyof typeof reasons): string =>
  `We send no more events to your webhook endpoint at ${hostOf(url)}, because ${reasons[reason]}. Repair it, then resume it on your webhooks page and replay the missed events.`

export const createdSentence = (url: string): string =>
  `A webhook endpoint at ${hostOf(url)} now gets your events. If you didn’t add it, delete it on your webhooks page and change your password.`

/** One error for every reason, so that it reveals nothing about our network. */
export const unreachableUrl = () =>
  refusalIn(
    'url',
    'refused',
    'unreachable_url',
    'This host has no public address. Check the name, then try again.',
  )

const invalidUrl = (allowsHttp: boolean) =>
  refusalIn(
    'url',
    'refused',
    'invalid_webhook_url',
    `Send ${allowsHttp ? 'an http or https' : 'an https'} address without a user name and password.`,
  )

export const unknownEndpoint = () =>
  refusal('not_found', 'unknown_webhook_endpoint', 'You have no webhook endpoint with this id.')

export const unknownDelivery = () =>
  refusal('not_found', 'unknown_delivery', 'This endpoint has no delivery with this id.')

export const tooManyEndpoints = () =>
  refusal(
    'refused',
    'too_many_webhook_endpoints',
    `You have ${endpointsAtMost} webhook endpoints, which is the maximum. Delete one first.`,
  )

export const inactiveEndpoint = () =>
  refusal(
    'refused',
    'inactive_webhook_endpoint',
    'This endpoint gets no events at the moment. Resume it first.',
  )

export const stoppedEndpoint = () =>
  refusal(
    'refused',
    'stopped_webhook_endpoint',
    'An operator stopped this endpoint. Contact support to have it restored.',
  )

export const tooManyWaiting = () =>
  refusal(
    'limited',
    'too_many_waiting_deliveries',
    'Earlier test events of this endpoint still wait. Try again later.',
    { retry_after_seconds: 30 },
  )
