import { refusal, ServiceError } from '../errors.ts'

/** A purchase as a provider is told of it. */
export type PaymentRequest = {
  /** Ours. Providers keep it with their object and give it back. */
  attempt_id: string
  /** What the buyer reads on their statement or invoice. */
  description: string
  amount_in_cents: number
  /** Who pays, as the provider knows them. */
  customer: string | undefined
  /** A page of the provider leads back to these; without them the buyer's own application collects. */
  urls: { success_url: string; cancel_url: string } | undefined
  /** Only through the wallet of a device, such as Apple Pay or Google Pay. */
  wallet_only: boolean
  /** A card that the provider keeps for the customer. `create` charges nothing; `charge` does. */
  payment_method?: string | undefined
  /** When it was first asked for. */
  created_at: Date
  expires_at: Date
}

/** What the provider made for a request. */
export type PaymentObject = {
  /** The provider's name for it. */
  reference: string
  client_secret: string
  /** Where to send the buyer, if the provider has a page. */
  checkout_url: string | null
  /** Ways to pay in cryptocurrency. */
  methods: { address: string; amount: number; currency: string; title: string }[]
}

/** What became of it, as the provider says now. */
export type PaymentState = {
  /** Which of our requests it belongs to, as the provider kept it. */
  attempt_id: string | null
  /**
   * open: it waits for money · processing: all of it is on its way · settled: the provider has all
   * it asked for · ended: it asks for nothing any more. Coins may come at any time, whatever the
   * status: only `payments` and `seen_in_cents` tell of money.
   */
  status: 'open' | 'processing' | 'settled' | 'ended'
  /** Money that arrived for good, each once, in US cents; other currencies count for nothing. */
  payments: { reference: string; amount_in_cents: number }[]
  /** Money on its way or here. */
  seen_in_cents: number
  /** How to pay what is left, where that changes with every payment. */
  methods?: PaymentObject['methods']
  /** The last attempt was declined: no money comes unless the buyer tries again. */
  is_declined?: boolean
}

export type DeclineReason = 'declined' | 'insufficient_funds' | 'expired_card'

export type ChargeRequest = {
  /** Of the payment object. */
  reference: string
  attempt_id: string
  /** Where the bank's page leads back to. */
  return_url: string | undefined
}

/** What became of the try to charge a saved card. */
export type Charge = {
  state: PaymentState
  /** Where the buyer answers a question of their bank. */
  action_url: string | null
  /** Why nothing was charged. */
  declined: DeclineReason | null
}

export type RefundRequest = {
  /** Of the payment object. */
  reference: string
  /** Of the payment, one of `PaymentState.payments`. */
  payment: string
  amount_in_cents: number
  /** What the payment counted for. Coins go back by their share of it. */
  paid_in_cents: number
  /** The same for every attempt at the same refund. */
  key: string
}

export type Refund = {
  reference: string
  /** The money does not arrive: the provider has given up. */
  has_failed: boolean
  /** Where the buyer says which address to send the money to; cards need none. */
  claim_url: string | null
}

/** A refund that an earlier call made. */
type EarlierRefund = Refund & {
  /** The money has left, or the buyer said where it goes; a claim that nobody used is not taken. */
  is_taken: boolean
}

/** A payment that the buyer's bank took back, or asks about. */
export type Dispute = {
  reference: string
  amount_in_cents: number
  /** The bank's word for why. */
  reason: string
  /** open: nothing is decided · won: the money is ours · lost: it is the buyer's again. */
  status: 'open' | 'won' | 'lost'
  opened_at: Date
  /** When the bank expects our answer. */
  answer_until: Date | null
}

/** One provider of payments. Every call may fail and be repeated. */
export type Gateway = {
  /** Repeating it for the same attempt, with the same values, answers the same object. */
  create(request: PaymentRequest): Promise<PaymentObject>
  /**
   * What an earlier `create` made whose answer never reached us. A provider that cannot tell makes
   * it now: what is asked for here is about to be cancelled.
   */
  find(request: PaymentRequest): Promise<PaymentObject | undefined>
  /** Tells whether the provider can; where it cannot, the object is replaced. */
  changeAmount(reference: string, amount_in_cents: number): Promise<boolean>
  look(reference: string): Promise<PaymentState>
  /**
   * Makes sure that nothing more comes, if that is still possible, and tells how it stands. `open`
   * after it means that it must be tried again.
   */
  cancel(reference: string): Promise<PaymentState>
  refund(request: RefundRequest): Promise<Refund>
  /** What an earlier `refund` with this key made, whether or not its answer reached us. */
  findRefund(request: Pick<RefundRequest, 'payment' | 'key'>): Promise<EarlierRefund | undefined>
  /** Whether a refund that was sent has failed since. */
  hasFailed(refund: string): Promise<boolean>
  /** What an event is about; throws `UnsignedEventError` unless the provider signed these very bytes. */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): GatewayEvent
}

/** What an event is about; about something else, if neither is known. */
export type GatewayEvent = {
  event_id: string
  /** Of a payment object, or of one of its payments. */
  reference: string | undefined
  /** Which of our requests it belongs to, where the event tells. */
  attempt_id: string | undefined
  /** It tells of a dispute. */
  isDispute: boolean
}

/** Whether a provider may have given something this name. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{1,255}$/.test(value)

/** A card that a buyer let the provider keep. */
export type SavedCard = {
  id: string
  payment_type: string
  brand: string | null
  country: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
}

export type CardGateway = Gateway & {
  /** All that were ever made of a payment. */
  disputesOf(payment: string): Promise<Dispute[]>
  /** Those that were made since then of any payment. */
  findDisputes(since: Date): Promise<{ payment: string; reference: string }[]>
  /** Which of our requests a payment belongs to, as the provider kept it; a dispute does not tell. */
  attemptOf(payment: string): Promise<string | undefined>
  createCustomer(user_id: string): Promise<string>
  savedCards(customer: string): Promise<SavedCard[]>
  /** Nothing if the customer has no such card. */
  findCard(customer: string, id: string): Promise<SavedCard | undefined>
  /** Nothing if the customer has no such card. */
  forgetCard(customer: string, id: string): Promise<SavedCard | undefined>
  /** Charges the card that the object was made for, once however often it is called. */
  charge(request: ChargeRequest): Promise<Charge>
}

export type CryptoGateway = Gateway & {
  /** Whether the buyer said where a refund goes to, and all of it was sent there. */
  isPaidOut(refund: string): Promise<boolean>
}

/** The payment providers. */
export type Gateways = { card?: CardGateway | undefined; crypto?: CryptoGateway | undefined }

/** Nothing may be believed of an event that the provider did not sign, or signed too long ago. */
export const unsignedEvent = () =>
  refusal('invalid', 'invalid_signature', 'The signature does not belong to this event.')

/** The provider understood, and does not do it: the same call will not work later either. */
export class RefusedError extends Error {
  override readonly name = 'Payments.RefusedError'
}

/** The provider cannot be reached, or fails: the same call may work later. */
export const providerAway = () => {
  const message = 'The payment provider does not answer. Try again shortly.'
  return refusal('unavailable', 'unavailable_payment_provider', message, { retry_after_seconds: 5 })
}

/** No card moves so little or so much at once. */
export class UnpayableAmountError extends ServiceError {
  override readonly name = 'Payments.UnpayableAmountError'
  constructor() {
    const message = 'Cards pay from $0.50 to $999,999.99 at once. Choose another payment method.'
    super('refused', 'unpayable_amount', message)
  }
}
