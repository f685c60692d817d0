import { createHmac, randomBytes } from 'node:crypto'
import { textLengths } from '@emojid/core'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import type { PostAnswer, PostFailure, PostOutcome } from '../../../platform/outside/post-body.ts'
import { readAddress } from '../../../platform/outside/reach.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../platform/time.ts'
import { type User, unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import { assertScope, type Principal, type Scope } from '../../operations/access/access.ts'
import { eventTypes } from '../../operations/events/events.ts'
import type { Delivery, Endpoint, StatusReason } from './repository.ts'

export const endpointsAtMost = 20
export const testsWaitingAtMost = 20
export const replayedAtOnce = 1_000
/** A replay looks at no more events than this, however few of them it queues. */
export const scannedAtMost = 20_000

const previousSecretMs = dayMs
const retentionMs = 30 * dayMs
/** The error of a delivery that waits for an operator after a restore. */
export const parkedReason =
  'The directory was restored from a backup. This may have been sent before: send it again if you miss it.'

export const startOfRetention = (now: Date): Date => new Date(now.getTime() - retentionMs)

/** A secret of Standard Webhooks: 32 random bytes after the prefix. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type FormerSecret = { sealed: string; until: Date }

/** The former secrets that still sign, newest first. */
export function formerSecretsOf(
  endpoint: Pick<Endpoint, 'sealed_previous' | 'previous_until' | 'sealed_older' | 'older_until'>,
  now: Date,
): FormerSecret[] {
  const { sealed_previous, previous_until, sealed_older, older_until } = endpoint
  const formers = [
    { sealed: sealed_previous, until: previous_until },
    { sealed: sealed_older, until: older_until },
  ]
  return formers.flatMap(({ sealed, until }) =>
    sealed !== null && until !== null && until > now ? [{ sealed, until }] : [],
  )
}

/** Every former secret signs for a day. A third rotation within a day would end one sooner. */
export function rotate(endpoint: Endpoint, now: Date) {
  const formers = formerSecretsOf(endpoint, now)
  if (formers.length >= formerSecretsAtMost) throw tooManyRotations()
  const [previous] = formers
  return {
    sealed_previous: endpoint.sealed_secret,
    previous_until: later(now, previousSecretMs),
    sealed_older: previous?.sealed ?? null,
    older_until: previous?.until ?? null,
  }
}

const formerSecretsAtMost = 2

/** Binds a sealed secret to its row. */
export const sealContext = (id: string): string => `webhook secret ${id}`

const urlContext = (id: string): string => `webhook address ${id}`

/** The columns of an address. */
export const sealUrl = (sealer: Sealer, id: string, url: string) => ({
  origin: new URL(url).origin,
  sealed_url: sealer.seal(url, urlContext(id)),
})

export const openUrl = (sealer: Sealer, { id, sealed_url }: Pick<Endpoint, 'id' | 'sealed_url'>) =>
  sealer.open(sealed_url, urlContext(id)).toString()

/** How sealed columns get the current master key. */
export const rewrapping = (sealer: Sealer) => ({
  secret: (id: string, text: string) => sealer.rewrap(text, sealContext(id)),
  url: (id: string, text: string) => sealer.rewrap(text, urlContext(id)),
})

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
  // Percent-encoding makes the address longer than the text.
  if (url.href.length > textLengths.url.maxLength) throw longUrl()
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
  endpoint: Pick<Endpoint, 'is_healthy' | 'setbacks' | 'failures' | 'failing_since' | 'hold_until'>
  /** Why the endpoint is disabled. */
  disables: 'gone' | 'failing' | undefined
}

/** Decides the next state of a delivery and its endpoint after a failed try. */
export function judgeFailure(
  outcome: PostOutcome,
  tries: number,
  endpoint: Pick<Endpoint, 'setbacks' | 'failures' | 'failing_since'>,
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
      setbacks: endpoint.setbacks + 1,
      failures,
      failing_since,
      hold_until: later(now, Math.max(backOffMs, jitter(holdMs))),
    },
    disables: isGone ? 'gone' : isExhausted ? 'failing' : undefined,
  }
}

/** Soon, because quick endpoints free their connections soon. */
export const dueAfterBusy = (now: Date): Date => later(now, jitter(200))

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

/** The delay of a Retry-After header (RFC 9110, 10.2.3), at most a day. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  const text = header.trim()
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : 0
}

const failures: Record<Exclude<PostFailure, 'busy'>, string> = {
  not_allowed: 'The name of the host has no public address.',
  timeout: 'The endpoint did not respond within 15 seconds.',
  connection: 'The connection failed.',
  bad_answer: 'The response is not valid HTTP.',
}

function errorOf(outcome: PostOutcome): string {
  if ('failure' in outcome) return outcome.failure === 'busy' ? '' : failures[outcome.failure]
  const { status } = outcome.answer
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? `The endpoint responded ${status}. Redirects are not followed.`
    : `The endpoint responded ${status}.`
}

/** The most deliveries that an endpoint gets at once. */
export const lanesAtMost = 4
export const pools = ['healthy', 'unproven', 'troubled'] as const
export type Pool = (typeof pools)[number]

export const lanesOf = (pool: Pool): number => (pool === 'healthy' ? lanesAtMost : 1)

/** An endpoint with more setbacks in a row shares connections with other slow and failing ones. */
export const setbacksAtMost = 2

/**
 * Connections of one process. Slow and failing endpoints cannot take those of quick and new ones, and
 * no owner and no host can take them all. A delivery that takes longer than two seconds counts as
 * troubled from then on. A host and an address have as many connections for healthy endpoints, and
 * as many for the others: a slow server behind a shared address must not delay the quick ones.
 */
export const connections = {
  healthy: { inTotal: 128, perOwner: 32 },
  unproven: { inTotal: 128, perOwner: 4 },
  troubled: { inTotal: 128, perOwner: 8 },
  /** In a pool, for an owner with deliveries that take long. */
  perSlowOwner: 8,
  /** In a pool, for every owner while a pool or the total is nearly full. */
  fewOfOwner: 1,
  perHost: 16,
  inTotal: 512,
}

export const hostOf = (url: string): string => new URL(url).host

export type DisablingReason = Exclude<StatusReason, 'operator'>

const reasons: Record<DisablingReason, string> = {
  gone: 'it responded 410 Gone',
  failing: 'deliveries to it failed for days',
  access_lost: 'the member who set it up may no longer manage it',
  key_revoked: 'the API key that resumed it was deleted or has expired',
  access_revoked: 'the access to the account that set it up was revoked',
}

export function disabledSentence(
  url: string,
  reason: DisablingReason,
  organization?: string,
): string {
  const isBroken = reason === 'gone' || reason === 'failing'
  const step = isBroken
    ? 'Repair it, then resume it'
    : 'Check that its address is still yours and rotate its secret, then resume it'
  return `${nameOf(url, organization)} gets no more events, because ${reasons[reason]}. ${step} on your webhooks page and replay the missed events.`
}

/** The beginning of a sentence. Owners of several organizations need its name. */
const nameOf = (url: string, organization: string | undefined): string =>
  organization === undefined
    ? `Your webhook endpoint at ${hostOf(url)}`
    : `The webhook endpoint of ${organization} at ${hostOf(url)}`

const rescueStep = (organization: string | undefined): string =>
  organization === undefined
    ? 'If this wasn’t you, delete it on your webhooks page and change your password.'
    : 'If no owner did this, delete it on your webhooks page and check who is a member.'

/** Why the owner may not get this event; undefined if the owner may. */
export function cancellationOf(
  target: Pick<Endpoint, 'organization_id' | 'api_key_id'> & {
    owns_id: boolean
    is_confirmed: boolean
    key_scopes: readonly Scope[] | null
  },
  { type, emoji_id }: Pick<Delivery, 'type' | 'emoji_id'>,
): string | undefined {
  // A former owner gets the event that the id left, and no later event of it.
  const isFarewell = type === 'emoji_id.transferred' || type === 'emoji_id.released'
  const needsOwner = emoji_id !== null && type.startsWith('emoji_id.') && !isFarewell
  if (needsOwner && !target.owns_id) return 'The id belongs to another owner now.'
  if (target.organization_id !== null) return undefined
  // A stranger may have registered with the address of the recipient.
  const isTransfer = type.startsWith('transfer.')
  if (isTransfer && !target.is_confirmed) return 'The email address is not confirmed.'
  const scope = scopeOfType(type)
  const isMissing = scope && target.api_key_id && !target.key_scopes?.includes(scope)
  return isMissing ? `The API key that resumed the endpoint lacks the scope ${scope}.` : undefined
}

/** The scope that an API key needs for a personal event, as for GET /events. */
function scopeOfType(type: string): Scope | undefined {
  if (type.startsWith('order.')) return 'order:readSelf'
  return type.startsWith('transfer.') ? 'emoji::transfer' : undefined
}

/** Without types, an endpoint of a key gets the events that the key may read. */
export function assertKeyMayReceive(
  caller: Principal,
  organization_id: string | null,
  types: readonly string[],
): void {
  if (!caller.key || organization_id !== null) return
  for (const type of types) {
    const scope = scopeOfType(type)
    if (scope) assertScope(caller, scope)
  }
}

/** A key that lacks a scope must not silence an endpoint that a person or another key set up. */
export function assertKeyMayTakeOver(
  caller: Principal,
  {
    organization_id,
    types,
    api_key_id,
  }: Pick<Endpoint, 'organization_id' | 'types' | 'api_key_id'>,
): void {
  const isOwn = api_key_id !== null && api_key_id === caller.key?.id
  const getsAll = types.length === 0 && !isOwn
  assertKeyMayReceive(caller, organization_id, getsAll ? eventTypes : types)
}

/** Accounts with an unconfirmed address are free to create, so they may not cause requests. */
export function assertConfirmed({ email, email_verified_at }: User): void {
  if (email === null || email_verified_at !== null) return
  throw unconfirmedEmail('Confirm your email address first. The link is in your mailbox.')
}

export const createdSentence = (url: string, organization?: string): string =>
  `${nameOf(url, organization)} was added and gets events from now on. ${rescueStep(organization)}`

export const movedSentence = (url: string, from: string, organization?: string): string =>
  `${nameOf(url, organization)} gets the events that went to ${hostOf(from)} before. ${rescueStep(organization)}`

export const rotatedSentence = (url: string, organization?: string): string =>
  `${nameOf(url, organization)} has a new secret, and the former one signs for another day. ${rescueStep(organization)}`

export const stoppedSentence = (url: string, reason: string, organization?: string): string =>
  `${nameOf(url, organization)} was stopped by an operator: “${reason}”. Contact support to have it restored.`

export const restoredSentence = (url: string, organization?: string): string =>
  `${nameOf(url, organization)} was restored by an operator and is paused. Resume it on your webhooks page and replay the missed events.`

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

const longUrl = () =>
  refusalIn(
    'url',
    'refused',
    'webhook_url_too_long',
    `This address is longer than ${textLengths.url.maxLength} characters in its encoded form. Send a shorter one.`,
  )

/** An operator stopped an endpoint of the owner at this host, or of another account at this address. */
export const stoppedHost = () =>
  refusalIn(
    'url',
    'refused',
    'stopped_webhook_host',
    'An operator stopped an endpoint at this host. Contact support to have it restored.',
  )

const tooManyRotations = () =>
  refusal(
    'refused',
    'too_many_rotations',
    'The secret was rotated twice within a day, and both former secrets still sign. Rotate it later, or add a new endpoint.',
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
