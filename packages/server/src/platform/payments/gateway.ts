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
   * open: nothing came yet · processing: money is on its way · settled: the provider has all it
   * asked for · ended: nothing more can come
   */
  status: 'open' | 'processing' | 'settled' | 'ended'
  /** Money that arrived for good, each once, in US cents; other currencies count for nothing. */
  payments: { reference: string; amount_in_cents: number }[]
  /** Money on its way or here. */
  seen_in_cents: number
}

export type RefundRequest = {
  /** Of the payment object. */
  reference: string
  /** Of the payment, one of `PaymentState.payments`. */
  payment: string
  amount_in_cents: number
  /** The same for every attempt at the same refund. */
  key: string
}

export type Refund = {
  reference: string
  /** Where the buyer says which address to send the money to; cards need none. */
  claim_url: string | null
}

/** One provider of payments. Every call may fail and be repeated. */
export type Gateway = {
  /** Repeating it for the same attempt answers the same object. */
  create(request: PaymentRequest): Promise<PaymentObject>
  /** Tells whether the provider can; where it cannot, the object is replaced. */
  changeAmount(reference: string, amount_in_cents: number): Promise<boolean>
  look(reference: string): Promise<PaymentState>
  /** Makes sure that nothing more comes, if that is still possible, and tells how it stands. */
  cancel(reference: string): Promise<PaymentState>
  refund(request: RefundRequest): Promise<Refund>
  /** What an event is about; throws `UnsignedEventError` unless the provider signed these very bytes. */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): GatewayEvent
}

/** Without a reference, the event is about something else. */
export type GatewayEvent = { event_id: string; reference: string | undefined }

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
  createCustomer(user_id: string): Promise<string>
  savedCards(customer: string): Promise<SavedCard[]>
  /** Nothing if the customer has no such card. */
  forgetCard(customer: string, id: string): Promise<SavedCard | undefined>
}
