import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { cardSignature } from '../webhooks/signatures.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { type Charges, createCharges } from './charges.ts'
import { type Customers, createCustomers } from './customers.ts'
import type { CardDesk } from './desk.ts'
import { createDisputes, type Disputes } from './disputes.ts'
import { createEvents, type Events } from './events.ts'
import { createIntents, type Intents } from './intents.ts'
import { createPaymentMethods, type PaymentMethods } from './payment-methods.ts'
import { createRefunds, type Refunds } from './refunds.ts'
import { createSessions, type Sessions } from './sessions.ts'

export type CardOptions = { secretKey: string; webhookUrl: string; webhookSecret: string }

export type CardProvider = {
  state: State
  seconds: () => number
  options: CardOptions
  /** Of the next requests with an idempotency key: each is answered with 500, done or not. */
  failures: { applied: boolean }[]
  attempts: Attempts
  charges: Charges
  customers: Customers
  disputes: Disputes
  events: Events
  intents: Intents
  methods: PaymentMethods
  refunds: Refunds
  sessions: Sessions
}

type Options = {
  state: State
  courier: Courier
  seconds: () => number
  origin: () => string
  options: CardOptions
}

/** Everything that the card provider does, built once. */
export function createCardProvider(given: Options): CardProvider {
  const { state, courier, seconds, origin, options } = given
  const events = createEvents({ state, seconds, courier })
  const desk: CardDesk = { state, seconds, origin, emit: events.emit }
  const methods = createPaymentMethods(desk)
  const charges = createCharges(desk, methods)
  const attempts = createAttempts(desk, methods, charges)
  const intents = createIntents(desk, methods, attempts)

  courier.serve('card', {
    letterOf({ subject }) {
      const kept = state.get('event', subject)
      if (!kept) return undefined
      const body = JSON.stringify(kept.event, null, 2)
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

  return {
    state,
    seconds,
    options,
    events,
    methods,
    charges,
    attempts,
    intents,
    failures: [],
    customers: createCustomers(desk),
    disputes: createDisputes(desk, charges),
    sessions: createSessions(desk, intents, attempts),
    refunds: createRefunds(desk, charges),
  }
}
