import type { Sealer } from '../../platform/crypto/seal.ts'
import { transact, transactApart } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import {
  type CardGateway,
  type CryptoGateway,
  type Dispute,
  type Gateway,
  type PaymentObject,
  type PaymentRequest,
  type PaymentState,
  RefusedError,
  UnpayableAmountError,
} from '../../platform/payments/gateway.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Ledger, LedgerEntry } from '../ledger/index.ts'
import type { SavedCards } from '../saved-cards/index.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'
import type { PaymentMethodData } from './schema.ts'
import type { Attempt, Provider, ProviderMethod } from './table.ts'

export type Payments = ReturnType<typeof createPayments>
export type Gateways = { card?: CardGateway | undefined; crypto?: CryptoGateway | undefined }

type Options = {
  db: Database
  sealer: Sealer
  gateways: Gateways
  savedCards: SavedCards
  ledger: Ledger
  now: () => Date
}
type Purchase = {
  order_id: string
  user_id: string
  round: number
  method: ProviderMethod
  /** A saved card. */
  payment_method: string | null
  amount_in_cents: number
  snapshot: unknown
  urls: { success_url: string; cancel_url: string } | undefined
  expires_at: Date
}
/** Told in a transaction of its own what a provider says of an attempt. */
type Listener = (trx: Transaction, attempt: Attempt, state: PaymentState) => Promise<void>
type RefundListener = (
  trx: Transaction,
  refund: { id: string; order_id: string; amount_in_cents: number; claim_url: string | null },
) => Promise<void>

type DisputeListener = (trx: Transaction, payment: LedgerEntry, told: Dispute) => Promise<void>

export const checkTask = 'payments.check'
export const disputeTask = 'payments.dispute'
const checkedAtOnce = 200
const eventsKeptMs = 90 * 24 * 60 * 60_000

/** What providers are asked for and what they tell. Orders decide what it means. */
export function createPayments({ db, sealer, gateways, savedCards, ledger, now }: Options) {
  const listeners: Listener[] = []
  const refundListeners: RefundListener[] = []
  const disputeListeners: DisputeListener[] = []
  const gatewayOf = (provider: Provider): Gateway => {
    const gateway = gateways[provider]
    if (!gateway) throw new rules.MethodUnavailableError(provider)
    return gateway
  }
  const objectOf = ({ id, sealed }: Attempt): PaymentObject | undefined =>
    sealed === null ? undefined : JSON.parse(sealer.open(sealed, placeOf(id)).toString())

  const seal = (id: string, object: PaymentObject): string =>
    sealer.seal(JSON.stringify(object), placeOf(id))
  const inAMinute = () => new Date(now().getTime() + 60_000)
  const queueCheck = (trx: Transaction, id: string) =>
    addJob(trx, checkTask, { id }, { key: `${checkTask}:${id}`, max_attempts: 100 })

  const queueDispute = (trx: Transaction, id: string) =>
    addJob(trx, disputeTask, { id }, { key: `${disputeTask}:${id}`, max_attempts: 100 })

  const requestOf = async (attempt: Attempt): Promise<PaymentRequest> => {
    const { id, success_url, cancel_url } = attempt
    return {
      attempt_id: id,
      amount_in_cents: attempt.amount_in_cents,
      description: rules.describe(attempt),
      customer:
        attempt.provider === 'card' ? await savedCards.customerOf(attempt.user_id) : undefined,
      urls: success_url !== null && cancel_url !== null ? { success_url, cancel_url } : undefined,
      wallet_only: attempt.method === 'WalletPay',
      payment_method: attempt.payment_method ?? undefined,
      created_at: attempt.created_at,
      expires_at: attempt.expires_at,
    }
  }
  const keep = async ({ id }: Attempt, made: PaymentObject): Promise<PaymentObject> => {
    const object = {
      reference: made.reference,
      sealed: seal(id, made),
      methods: JSON.stringify(made.methods),
      check_at: inAMinute(),
    }
    const kept = await attempts.setObject(db, id, object)
    // Given up while the provider was at it.
    if (kept?.status === 'closed') await transactApart(db, (trx) => queueCheck(trx, id))
    return made
  }
  /** Makes a saved card pay. The order is Paid if that worked, and waits where the bank asks. */
  const charge = async (attempt: Attempt, made: PaymentObject): Promise<void> => {
    // Given up meanwhile: its object is being cancelled.
    const current = await attempts.findAttempt(db, attempt.id)
    if (!gateways.card || current?.status !== 'open') return
    const { state, action_url, declined } = await gateways.card.charge({
      reference: made.reference,
      attempt_id: attempt.id,
      return_url: attempt.success_url ?? undefined,
    })
    if (action_url) {
      const sealed = seal(attempt.id, { ...made, checkout_url: action_url })
      await transactApart(db, (trx) => attempts.setSealed(trx, attempt.id, sealed, '[]'))
    }
    await conclude(attempt, declined ? { ...state, is_declined: true } : state)
    if (declined) throw new rules.CardDeclinedError(declined)
  }
  /** The card was deleted since it was looked up, or does not take this payment. */
  const refuseCard = async ({ id }: Attempt, isSavedCard: boolean, error: unknown) => {
    if (!isSavedCard || !(error instanceof RefusedError)) throw error
    await transactApart(db, (trx) => attempts.noteState(trx, id, { seen_at: null, isOver: true }))
    throw new rules.CardDeclinedError('declined')
  }
  /** Has the provider make the object, unless it did. */
  const open = async (attempt: Attempt): Promise<void> => {
    const make = async () =>
      keep(attempt, await gatewayOf(attempt.provider).create(await requestOf(attempt)))
    const isSavedCard = attempt.payment_method !== null
    const made =
      objectOf(attempt) ?? (await make().catch((error) => refuseCard(attempt, isSavedCard, error)))
    if (isSavedCard) await charge(attempt, made)
  }

  /** What the provider made for somebody who was gone before its name was kept. */
  const findLost = async (attempt: Attempt): Promise<string | undefined> => {
    const lost = await gatewayOf(attempt.provider).find(await requestOf(attempt))
    return lost && (await keep(attempt, lost)).reference
  }
  /** Has everybody who listens draw their conclusions from what the provider says. */
  const conclude = async (attempt: Attempt, state: PaymentState): Promise<void> => {
    // Whatever the provider has under this name, it is not what we asked for.
    if (state.attempt_id !== null && state.attempt_id !== attempt.id) return
    await transactApart(db, async (trx) => {
      // They lock the order before anything of the attempt changes, as everybody does.
      for (const listener of listeners) await listener(trx, attempt, state)
      const seen_at = state.seen_in_cents > 0 ? now() : null
      const noted = { seen_at, isOver: rules.isOver(state) || rules.isSpent(attempt, state) }
      const current = await attempts.noteState(trx, attempt.id, noted)
      const object = objectOf(current)
      if (object && state.methods) {
        const sealed = seal(attempt.id, { ...object, methods: state.methods })
        await attempts.setSealed(trx, attempt.id, sealed, JSON.stringify(state.methods))
      }
      await attempts.setCheck(trx, attempt.id, rules.nextCheck(current, state, now()))
    })
  }

  /** A bank may turn money down days after it was sent. */
  const reviewRefunds = async ({ id: attempt_id, provider }: Attempt): Promise<void> => {
    for (const { id, reference } of await ledger.sentOf(attempt_id)) {
      if (reference === null || !(await gatewayOf(provider).hasFailed(reference))) continue
      await transactApart(db, (trx) => ledger.leaveToPeople(trx, id, 'done'))
    }
  }

  /** A dispute names the payment intent alone, while the attempt may know a session. */
  const findByPayment = async (provider: Provider, reference: string) => {
    const id = await ledger.attemptOf(provider, reference)
    return id ? attempts.findAttempt(db, id) : undefined
  }
  /** The same of a payment that stands in no ledger yet: the provider knows what it was for. */
  const findDisputed = async (reference: string) => {
    const id = await gateways.card?.attemptOf(reference)
    return isUuid(id) ? attempts.findAttempt(db, id) : undefined
  }

  /** Asks the provider how an attempt stands, and makes sure that a closed one stays closed. */
  const check = async (id: string): Promise<void> => {
    const attempt = await attempts.findAttempt(db, id)
    if (!attempt) return
    const isOpen = attempt.status === 'open'
    const reference = attempt.reference ?? (isOpen ? undefined : await findLost(attempt))
    // The buyer was never shown how to pay it.
    if (reference === undefined) {
      return void (await attempts.setCheck(db, id, rules.nextSearch(attempt, now())))
    }
    const gateway = gatewayOf(attempt.provider)
    await conclude(attempt, await (isOpen ? gateway.look(reference) : gateway.cancel(reference)))
    await reviewRefunds(attempt)
  }

  return {
    check,

    /** Asks what banks say of the payments of an attempt; whatever an event told may be old by now. */
    async reviewDisputes(id: string): Promise<void> {
      // A dispute may be heard of before its payment.
      await check(id)
      for (const payment of await ledger.paymentsOf(id)) {
        if (payment.provider !== 'card' || !gateways.card) continue
        for (const told of await gateways.card.disputesOf(payment.reference)) {
          await transactApart(db, async (trx) => {
            for (const listener of disputeListeners) await listener(trx, payment, told)
          })
        }
      }
    },
    /** Finds how disputes ended that no event told of. */
    async reviewAllDisputes(): Promise<void> {
      for (const id of await ledger.disputedAttempts()) {
        await transact(db, (trx) => queueDispute(trx, id))
      }
    },

    /** Has the provider take no more money for an attempt, unless some is under way. */
    async end(attempt: Attempt): Promise<void> {
      const { reference } = attempt
      if (reference === null) return
      const gateway = gatewayOf(attempt.provider)
      const state = await gateway.look(reference)
      await conclude(attempt, state.seen_in_cents > 0 ? state : await gateway.cancel(reference))
    },

    /** What to do with what a provider says. */
    whenChecked: (listener: Listener) => void listeners.push(listener),
    whenRefunded: (listener: RefundListener) => void refundListeners.push(listener),
    whenDisputed: (listener: DisputeListener) => void disputeListeners.push(listener),
    setLateOrder: attempts.setLateOrder,
    setSeenInHold: attempts.setSeenInHold,
    reload: async (trx: Transaction, attempt: Attempt) =>
      (await attempts.findAttempt(trx, attempt.id)) ?? attempt,

    isOffered: (method: ProviderMethod, amount_in_cents: number): boolean =>
      Boolean(gateways[rules.providerFor(method)]) && rules.isPayable(method, amount_in_cents),

    assertOffered(method: ProviderMethod, amount_in_cents: number): void {
      if (!gateways[rules.providerFor(method)]) throw new rules.MethodUnavailableError(method)
      if (!rules.isPayable(method, amount_in_cents)) throw new UnpayableAmountError()
    },
    /** Whether money for a checkout is here or on its way, other than by one of its attempts. */
    isUnderWay: async (
      trx: Transaction,
      { id, round }: { id: string; round: number },
      except?: string,
    ): Promise<boolean> =>
      (await attempts.findSeen(trx, id, round)).some((attempt) => attempt.id !== except),

    /** Notes what the buyer is about to pay; the provider hears of it once that is certain. */
    prepare: (trx: Transaction, { snapshot, urls, ...purchase }: Purchase): Promise<Attempt> =>
      attempts.insertAttempt(trx, {
        ...purchase,
        provider: rules.providerFor(purchase.method),
        snapshot: JSON.stringify(snapshot),
        success_url: urls?.success_url ?? null,
        cancel_url: urls?.cancel_url ?? null,
        reference: null,
        sealed: null,
        status: 'open',
        late_order_id: null,
        seen_at: null,
        created_at: now(),
        check_at: null,
      }),

    /** The attempts of these orders that can still be paid, by order. */
    async openOf(from: Database | Transaction, order_ids: readonly string[]) {
      if (order_ids.length === 0) return new Map<string, Attempt>()
      const found = await attempts.findOpen(from, order_ids)
      return new Map(found.map((attempt) => [attempt.order_id, attempt]))
    },

    /** Which of these orders have money here or on its way. */
    async withMoney(order_ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (order_ids.length === 0) return new Set()
      const found = await attempts.findOrdersWithMoney(db, order_ids)
      return new Set(found.map(({ order_id }) => order_id))
    },

    open,

    /** What the buyer needs to pay; nothing while the provider has not made it. */
    dataOf(attempt: Attempt | undefined) {
      const object = attempt && objectOf(attempt)
      return object ? rules.dataOf(attempt, object) : null
    },

    /** How these orders were paid, as far as that is no secret; nothing for those without a provider. */
    async paidDataOf(order_ids: readonly string[]) {
      if (order_ids.length === 0) return new Map<string, PaymentMethodData>()
      const found = await attempts.findPaying(db, order_ids)
      return new Map(
        found.map(({ paid_order_id, ...attempt }) => [paid_order_id, rules.paidDataOf(attempt)]),
      )
    },

    /** Tells `false` where the provider cannot, and another attempt has to take its place. */
    changeAmount: (attempt: Attempt, amount_in_cents: number): Promise<boolean> =>
      attempt.reference === null
        ? Promise.resolve(false)
        : gatewayOf(attempt.provider).changeAmount(attempt.reference, amount_in_cents),
    noteAmount: (trx: Transaction, id: string, amount_in_cents: number, snapshot: unknown) =>
      attempts.setAmount(trx, id, amount_in_cents, JSON.stringify(snapshot)),

    /** The buyer is not to pay this any more. The provider is told by a job, again and again. */
    async close(trx: Transaction, order_id: string): Promise<Attempt[]> {
      const closed = await attempts.closeOf(trx, order_id, inAMinute())
      for (const { id } of closed) await queueCheck(trx, id)
      return closed
    },

    /** Money that stands in no ledger yet. */
    unbooked: async (trx: Transaction, { provider }: Attempt, { payments: told }: PaymentState) => {
      const references = told.map(({ reference }) => reference)
      const known = await ledger.bookedOf(trx, provider, references)
      return told.filter(({ reference }) => !known.has(reference))
    },

    /** Puts money into the ledger of an order that is not there yet; answers how much that was. */
    async book(trx: Transaction, attempt: Attempt, order_id: string, state: PaymentState) {
      let booked = 0
      for (const { reference, amount_in_cents } of state.payments) {
        const entry = await ledger.book(trx, {
          order_id,
          attempt_id: attempt.id,
          kind: 'payment',
          provider: attempt.provider,
          reference,
          amount_in_cents,
          reason: null,
          actor_id: null,
        })
        booked += entry?.amount_in_cents ?? 0
      }
      return booked
    },

    /** Keeps that a provider told something; a job asks what it means. */
    async takeEvent(
      provider: Provider,
      body: Buffer,
      headers: Record<string, string | string[] | undefined>,
    ): Promise<void> {
      const event = gatewayOf(provider).readEvent(body, headers)
      const { event_id, attempt_id, reference, isDispute } = event
      const about =
        (isUuid(attempt_id) && (await attempts.findAttempt(db, attempt_id))) ||
        (reference && (await attempts.findByReference(db, provider, reference))) ||
        (reference && (await findByPayment(provider, reference))) ||
        (reference && isDispute && (await findDisputed(reference))) ||
        undefined
      const id = about?.provider === provider ? about.id : null
      await transact(db, async (trx) => {
        const noted = { provider, event_id, attempt_id: id, created_at: now() }
        if (!(await attempts.insertEvent(trx, noted)) || !id) return
        await (isDispute ? queueDispute(trx, id) : queueCheck(trx, id))
      })
    },

    /** Finds what providers forgot to tell. */
    async reconcile(): Promise<void> {
      const due = await attempts.findDue(db, now(), checkedAtOnce)
      for (const { id } of due) await transact(db, (trx) => queueCheck(trx, id))
      await attempts.forgetEventsBefore(db, new Date(now().getTime() - eventsKeptMs))
    },

    /** Asks which refunds were claimed and paid out since. */
    async reviewClaims(): Promise<void> {
      if (!gateways.crypto) return
      for (const { id, reference, amount_in_cents } of await ledger.unclaimed()) {
        const asked = gateways.crypto.isPaidOut(reference ?? '', amount_in_cents)
        const isPaidOut = await asked.catch((error) => {
          // The provider does not know it any more, or refuses to tell; the others are asked.
          if (error instanceof RefusedError) return false
          throw error
        })
        await ledger.noteClaim(id, isPaidOut)
      }
    },

    /** Gives money back. Throws while it makes sense to try again. */
    async sendRefund(id: string): Promise<void> {
      const refund = await ledger.findRefund(id)
      if (refund?.status !== 'queued') return
      // The bank decides whether the buyer gets the money: until then it is not given a second time.
      if (await ledger.isPaymentDisputed(refund.payment_id)) return
      const payment = await ledger.find(refund.payment_id)
      const attempt = payment.attempt_id && (await attempts.findAttempt(db, payment.attempt_id))
      if (!attempt || attempt.reference === null) throw new Error('A refund lost its payment')
      const asked = gatewayOf(attempt.provider).refund({
        reference: attempt.reference,
        payment: payment.reference,
        key: id,
        amount_in_cents: refund.amount_in_cents,
      })
      const sent = await asked.catch((error) => {
        if (error instanceof RefusedError) return undefined
        throw error
      })
      await transact(db, async (trx) => {
        if (!sent || sent.has_failed) return void (await ledger.leaveToPeople(trx, id, 'queued'))
        if (!(await ledger.finishRefund(trx, id, sent))) return
        const { order_id, amount_in_cents } = refund
        for (const listener of refundListeners) {
          await listener(trx, { id, order_id, amount_in_cents, claim_url: sent.claim_url })
        }
      })
    },
  }
}

/** Wraps what buyers need to pay with the current master key. Answers how many it was. */
export const rewrapPayments = (db: Database, sealer: Sealer): Promise<number> =>
  attempts.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
const placeOf = (id: string): string => `payment attempt ${id}`
