import { refusal, ServiceError } from '../errors.ts'
import { dayMs } from '../time.ts'

/** A purchase as sent to a provider. */
export type PaymentRequest = {
  /** Our id. Providers store it with their object and return it. */
  attempt_id: string
  /** The text on the buyer's statement or invoice. */
  description: string
  amount_in_cents: number
  /** The provider's id of the payer. */
  customer: string | undefined
  /** The provider's page returns here; without them the buyer's own application collects. */
  urls: { success_url: string; cancel_url: string } | undefined
  /** True if the buyer pays by a device wallet, such as Apple Pay or Google Pay. */
  wallet_only: boolean
  /** A saved card of the customer. `create` charges nothing; `charge` does. */
  payment_method?: string | undefined
  /** True if `create` only authorizes the card; `capture` then takes the money. */
  is_capture_manual?: boolean
  created_at: Date
  expires_at: Date
}

/** The provider's object for a request. */
export type PaymentObject = {
  /** The provider's id of it. */
  reference: string
  client_secret: string
  /** The provider's page for the buyer, if it has one. */
  checkout_url: string | null
  /** Payment methods in cryptocurrency. */
  methods: { address: string; amount: number; currency: string; title: string }[]
}

/** The current state at the provider. */
export type PaymentState = {
  /** The attempt, as stored at the provider. */
  attempt_id: string | null
  /**
   * open: waits for money · processing: all of it is on its way · settled: fully paid · ended:
   * accepts nothing any more. Coins may arrive at any time in any status: only `payments` and
   * `seen_in_cents` report money.
   */
  status: 'open' | 'processing' | 'settled' | 'ended'
  /** Final money, each payment once, in US cents; other currencies count as zero. */
  payments: { reference: string; amount_in_cents: number }[]
  /** Money that is pending or final. */
  seen_in_cents: number
  /** How to pay the rest, if that changes with every payment. */
  methods?: PaymentObject['methods']
  /** The provider's name for the paying card: the same for every customer. */
  card_fingerprint?: string
  /** The provider's id of an authorized payment whose money was not taken yet. */
  authorization?: string
  /** The last attempt was declined: no money arrives unless the buyer retries. */
  is_declined?: boolean
}

export type DeclineReason = 'declined' | 'insufficient_funds' | 'expired_card'

export type ChargeRequest = {
  /** The provider's id of the payment object. */
  reference: string
  attempt_id: string
  /** The return address of the bank's page. */
  return_url: string | undefined
}

/** The outcome of charging a saved card. */
export type Charge = {
  state: PaymentState
  /** The bank's page on which the buyer confirms. */
  action_url: string | null
  /** The reason why nothing was charged. */
  declined: DeclineReason | null
}

export type RefundRequest = {
  /** The provider's id of the payment object. */
  reference: string
  /** The provider's id of the payment, one of `PaymentState.payments`. */
  payment: string
  amount_in_cents: number
  /** The counted value of the payment. Coins are refunded by their share of it. */
  paid_in_cents: number
  /** The same for every attempt at this refund. */
  key: string
}

export type Refund = {
  reference: string
  /** The provider gave up: the money does not arrive. */
  has_failed: boolean
  /** The page on which the buyer enters an address for the coins; null for cards. */
  claim_url: string | null
}

/** A refund of an earlier call. */
type EarlierRefund = Refund & {
  /** The money has left, or the buyer entered an address; false for an unused claim. */
  is_taken: boolean
}

/** A payment that the buyer's bank charged back or inquires about. */
export type Dispute = {
  reference: string
  amount_in_cents: number
  /** The bank's reason. */
  reason: string
  /** open: undecided · won: the money is ours · lost: the money is the buyer's. */
  status: 'open' | 'won' | 'lost'
  opened_at: Date
  /** The deadline for our response to the bank. */
  answer_until: Date | null
}

/** The calls that a purchase makes to a provider. Every call of these types may fail and be retried. */
export type PaymentProvider = {
  /** Idempotent: repeats with the same values return the same object. */
  create(request: PaymentRequest): Promise<PaymentObject>
  /**
   * The object of an earlier `create` whose response was lost. A provider that cannot tell creates
   * it now: the caller is about to cancel it.
   */
  find(request: PaymentRequest): Promise<PaymentObject | undefined>
  /** Returns false if the provider cannot change it; the object is then replaced. */
  changeAmount(reference: string, amount_in_cents: number): Promise<boolean>
  look(reference: string): Promise<PaymentState>
  /**
   * Cancels it if still possible, and returns its state. `open` means that the caller must retry.
   */
  cancel(reference: string): Promise<PaymentState>
  /**
   * The subject of an event; throws `UnsignedEventError` unless the provider signed the exact
   * bytes.
   */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): GatewayEvent
}

export type RefundProvider = {
  refund(request: RefundRequest): Promise<Refund>
  /** The refund of an earlier `refund` with this key, whether or not its response arrived. */
  findRefund(request: Pick<RefundRequest, 'payment' | 'key'>): Promise<EarlierRefund | undefined>
  /** True if a sent refund has failed since. */
  hasFailed(refund: string): Promise<boolean>
}

export type Gateway = PaymentProvider & RefundProvider

/** The subject of an event; unrelated to us if neither is known. */
export type GatewayEvent = {
  event_id: string
  /** The provider's id of a payment object, or of one of its payments. */
  reference: string | undefined
  /** The attempt, if the event names it. */
  attempt_id: string | undefined
  /** The object that may have changed; `nothing` is an event that another one always follows. */
  about: 'payment' | 'dispute' | 'nothing'
}

/** True if it can be a provider's id. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{1,255}$/.test(value)

/** A card that the provider stores with the buyer's consent. */
export type SavedCard = {
  id: string
  payment_type: string
  brand: string | null
  country: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
}

export type DisputeProvider = {
  /** All disputes of a payment. */
  disputesOf(payment: string): Promise<Dispute[]>
  /** The disputes of all payments since then. */
  findDisputes(since: Date): Promise<{ payment: string; reference: string }[]>
  /** The attempt of a payment, as stored at the provider; a dispute does not name it. */
  attemptOf(payment: string): Promise<string | undefined>
}

/** The cards that buyers saved. */
export type CardHolder = {
  createCustomer(user_id: string): Promise<string>
  savedCards(customer: string): Promise<SavedCard[]>
  /** Undefined if the customer has no such card. */
  findCard(customer: string, id: string): Promise<SavedCard | undefined>
  /** Undefined if the customer has no such card. */
  forgetCard(customer: string, id: string): Promise<SavedCard | undefined>
}

export type CardProvider = PaymentProvider & {
  /** Takes the money of an authorization. */
  capture(authorization: string): Promise<void>
  /** Gives an authorization up, so that the card is not charged. */
  release(authorization: string): Promise<void>
  /** Charges the card of the object, once despite repeats. */
  charge(request: ChargeRequest): Promise<Charge>
}

export type CardGateway = Gateway & CardProvider & DisputeProvider & CardHolder

export type CryptoGateway = Gateway & {
  /** True if the buyer entered an address at the claim page and all of the refund was sent. */
  isPaidOut(claim_url: string): Promise<boolean>
}

/** The configured providers. */
export type Gateways = { card?: CardGateway | undefined; crypto?: CryptoGateway | undefined }

/** How far the clocks of a provider and of this process may differ. */
export const eventToleranceSeconds = 300

/** How long the ids of events are stored, so that none counts twice. */
export const eventsKeptMs = 90 * dayMs

/** An event without a valid signature, or of another time, proves nothing. */
export const unsignedEvent = () =>
  refusal('invalid', 'invalid_signature', 'The signature does not match this event.')

/** The provider understood the call and refuses it: a retry fails too. */
export class RefusedError extends Error {
  override readonly name = 'Payments.RefusedError'
}

/** The provider is unreachable or fails: a retry may succeed. */
export const providerAway = () => {
  const message = 'The payment provider is not responding. Try again shortly.'
  return refusal('unavailable', 'unavailable_payment_provider', message, { retry_after_seconds: 5 })
}

/** Outside of the limits of a card payment. */
export class UnpayableAmountError extends ServiceError {
  override readonly name = 'Payments.UnpayableAmountError'
  constructor() {
    const message =
      'Card payments are limited to $0.50 to $999,999.99. Choose another payment method.'
    super('refused', 'unpayable_amount', message)
  }
}
