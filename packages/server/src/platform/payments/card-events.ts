import Stripe from 'stripe'
import { type GatewayEvent, UnsignedEventError } from './gateway.ts'

const toleranceSeconds = 300

/** Reads an event that Stripe signed not long ago, and tells what it is about. */
export function cardEvent(
  body: Buffer,
  signature: string | string[] | undefined,
  secret: string,
  receivedAt: number,
): GatewayEvent {
  const text = body.toString('utf8')
  // The signature is checked over text: bytes that are not the ones of this text were not signed.
  const isText = Buffer.from(text).equals(body)
  if (!isText || typeof signature !== 'string') throw new UnsignedEventError()
  try {
    const limits = [toleranceSeconds, undefined, receivedAt] as const
    const event = Stripe.webhooks.constructEvent(text, signature, secret, ...limits)
    return { event_id: event.id, ...subjectOf(event.data.object as Subject) }
  } catch {
    throw new UnsignedEventError()
  }
}

type Subject = {
  object: string
  id?: string
  metadata?: Record<string, string> | null
  payment_intent?: string | { id: string } | null
}

function subjectOf({ object, id, metadata, payment_intent }: Subject) {
  const attempt_id = metadata?.['attempt_id']
  const intent = typeof payment_intent === 'object' ? payment_intent?.id : payment_intent
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
