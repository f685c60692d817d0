import Stripe from 'stripe'
import { eventToleranceSeconds, type GatewayEvent, isName, unsignedEvent } from './gateway.ts'

type SignedEvent = { id?: unknown; type?: unknown; data?: { object?: unknown } | null }

/** A new intent is not paid yet, and an event of the intent follows that of its charge. */
const tellsNothing: ReadonlySet<unknown> = new Set(['payment_intent.created', 'charge.succeeded'])

/** Verifies an event that Stripe signed recently, and returns its subject. */
export function cardEvent(
  body: Buffer,
  signature: string | string[] | undefined,
  secret: string,
  receivedAt: number,
): GatewayEvent {
  const text = body.toString('utf8')
  // The signature covers text: bytes that are not this text were not signed.
  const isText = Buffer.from(text).equals(body)
  if (!isText || typeof signature !== 'string') throw unsignedEvent()
  const event = signedEvent(text, signature, secret, receivedAt)
  const { id, type, data } = Object(event) as SignedEvent
  if (!isName(id)) throw unsignedEvent()
  const subject: Subject = Object(data?.object)
  const { reference, attempt_id } = subjectOf(subject)
  return {
    event_id: id,
    reference: isName(reference) ? reference : undefined,
    attempt_id: isName(attempt_id) ? attempt_id : undefined,
    about: tellsNothing.has(type)
      ? 'nothing'
      : subject.object === 'dispute'
        ? 'dispute'
        : 'payment',
  }
}

function signedEvent(text: string, signature: string, secret: string, at: number): unknown {
  const tolerance = eventToleranceSeconds
  // Stripe's library accepts signatures of any later time.
  if (signedAt(signature) > at / 1_000 + tolerance) throw unsignedEvent()
  try {
    return Stripe.webhooks.constructEvent(text, signature, secret, tolerance, undefined, at)
  } catch {
    throw unsignedEvent()
  }
}

/** The time in seconds. Stripe's library reads the last of several times in a header. */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  return Number.parseInt(times.at(-1)?.slice(2) ?? '', 10)
}

type Subject = {
  object?: unknown
  id?: unknown
  metadata?: Record<string, unknown> | null
  payment_intent?: unknown
}

function subjectOf({ object, id, metadata, payment_intent }: Subject) {
  const attempt_id = metadata?.['attempt_id']
  const intent = typeof payment_intent === 'string' ? payment_intent : Object(payment_intent).id
  switch (object) {
    case 'checkout.session':
    case 'payment_intent':
      return { reference: id, attempt_id }
    case 'charge':
    case 'dispute':
      return { reference: intent, attempt_id }
    case 'refund':
      return { reference: metadata?.['reference'] ?? intent, attempt_id }
    default:
      return { reference: undefined, attempt_id: undefined }
  }
}
