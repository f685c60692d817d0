import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  eventsKeptMs,
  eventToleranceSeconds,
  type GatewayEvent,
  isName,
  unsignedEvent,
} from './gateway.ts'

/**
 * Verifies an event that BTCPay signed. Redeliveries name the first delivery, and may come as long as
 * its id is stored.
 */
export function cryptoEvent(
  body: Buffer,
  signature: string | string[] | undefined,
  secret: string,
  receivedAt: number,
): GatewayEvent {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const signatureBytes = Buffer.from(typeof signature === 'string' ? signature : '')
  if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected)) {
    throw unsignedEvent()
  }
  const { originalDeliveryId, type, invoiceId, metadata, timestamp } = eventOf(body)
  if (!isName(originalDeliveryId)) throw unsignedEvent()
  const ageSeconds = typeof timestamp === 'number' ? receivedAt / 1_000 - timestamp : 0
  if (ageSeconds < -eventToleranceSeconds || ageSeconds > eventsKeptMs / 1_000) {
    throw unsignedEvent()
  }
  const { orderId } = (metadata ?? {}) as { orderId?: unknown }
  return {
    event_id: originalDeliveryId,
    reference: isName(invoiceId) ? invoiceId : undefined,
    attempt_id: isName(orderId) ? orderId : undefined,
    // A new invoice is not paid yet.
    about: type === 'InvoiceCreated' ? 'nothing' : 'payment',
  }
}

function eventOf(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}
