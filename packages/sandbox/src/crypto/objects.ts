export const methodIds = ['BTC-CHAIN', 'BTC-LN', 'BTC-LNURL', 'XMR-CHAIN'] as const
export type MethodId = (typeof methodIds)[number]

/** A payment method that the store offers. */
export type StoreMethod = { id: MethodId; enabled: boolean; config: object | null }

/** The changed rate of a coin. */
export type StoredRate = { id: string; rate: string }

export const speeds = ['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed'] as const

export type InvoiceRequest = {
  /** Null: any paid amount. */
  amount: string | null
  currency: string
  metadata: Record<string, unknown>
  checkout: {
    speedPolicy: (typeof speeds)[number]
    paymentMethods: MethodId[]
    defaultPaymentMethod: MethodId | null
    lazyPaymentMethods: boolean
    expirationMinutes: number
    monitoringMinutes: number
    paymentTolerance: number
    redirectURL: string | null
    redirectAutomatically: boolean
    defaultLanguage: string | null
  }
  receipt: { enabled: boolean | null; showQR: boolean | null; showPayments: boolean | null }
}

type InvoiceStatus = 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled'
type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver'

export type Payment = {
  id: string
  receivedDate: number
  value: string
  fee: string
  status: 'Invalid' | 'Processing' | 'Settled'
  destination: string | null
}

/** One payment method of an invoice, with its payments. */
type Prompt = {
  method: MethodId
  destination: string | null
  rate: string
  /** The fee of the next payment, in coins; it does not count as paid. */
  fee?: string
  payments: Payment[]
}

export type StoredInvoice = {
  id: string
  storeId: string
  amount: string
  currency: string
  type: 'Standard' | 'TopUp'
  metadata: Record<string, unknown>
  checkout: InvoiceRequest['checkout']
  receipt: InvoiceRequest['receipt']
  createdTime: number
  expirationTime: number
  monitoringExpiration: number
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
  archived: boolean
  prompts: Prompt[]
}

/** A refund that waits for the buyer's address: BTCPay's pull payment. */
export type StoredClaim = {
  id: string
  invoice: string
  name: string
  description: string
  currency: string
  amount: string
  payoutMethods: MethodId[]
  autoApproveClaims: boolean
  archived: boolean
  /** The buyer's address. */
  destination: string | null
  /** The time of the claim, in seconds since 1970. */
  claimed?: number
  /** True if the shop approved and paid it. */
  isPaid?: boolean
  /** The paid coins, at the rate of the payout. */
  paidCoins?: string
}

/** The receiver of a store's events. */
export type Webhook = {
  id: string
  enabled: boolean
  automaticRedelivery: boolean
  url: string
  authorizedEvents: { everything: boolean; specificEvents: string[] }
  secret: string
}

/** The content of a delivery. */
export type Message = { id: string; body: string; created: number }
