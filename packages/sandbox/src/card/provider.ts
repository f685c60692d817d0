import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { cardSignature } from '../webhooks/signatures.ts'
import type { CardDesk } from './desk.ts'
import { createEvents, type Events } from './events.ts'

export type CardOptions = { secretKey: string; webhookUrl: string; webhookSecret: string }

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
