import { createHmac } from 'node:crypto'
import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { createEvents, type Events } from './events.ts'
import type { EventType, Subject } from './objects.ts'

export type CardOptions = { secretKey: string; webhookUrl: string; webhookSecret: string }

/** Dependencies of the parts of the card provider. */
export type CardDesk = {
  state: State
  /** The time in whole seconds, as Stripe writes it. */
  seconds(): number
  /** The address of the sandbox in buyers' browsers. */
  origin(): string
  /** Records an event for the list of events and for the webhook. */
  emit(type: EventType, subject: Subject): void
}

export type CardProvider = CardDesk & {
  options: CardOptions
  /** Each of the next requests with an idempotency key gets a 500, applied or not. */
  failures: { applied: boolean }[]
  events: Events
}

type Options = {
  state: State
  courier: Courier
  seconds: () => number
  origin: () => string
  options: CardOptions
}

/** The card provider: its state, clock and webhook. The files beside hold its operations. */
export function createCardProvider(input: Options): CardProvider {
  const { state, courier, seconds, origin, options } = input
  const events = createEvents({ state, seconds, courier })

  courier.serve('card', {
    letterOf({ subject }) {
      const storedEvent = state.get('event', subject)
      if (!storedEvent) return undefined
      const body = JSON.stringify(storedEvent.event, null, 2)
      const signature = cardSignature(options.webhookSecret, seconds(), body)
      return { url: options.webhookUrl, headers: { 'stripe-signature': signature }, body }
    },
    again: ({ id, provider, subject, endpoint, created }) => ({
      id,
      provider,
      subject,
      endpoint,
      created,
    }),
  })
  return { state, seconds, origin, emit: events.emit, events, options, failures: [] }
}

/** Stripe's `Stripe-Signature`: it contains the time, so that expired ones can be rejected. */
function cardSignature(secret: string, seconds: number, body: string): string {
  const hash = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hash}`
}
