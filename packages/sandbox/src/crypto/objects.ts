export const methodIds = ['BTC-CHAIN', 'BTC-LN', 'BTC-LNURL', 'XMR-CHAIN'] as const
export type MethodId = (typeof methodIds)[number]

/** A way to pay that the store offers. */
export type StoreMethod = { id: MethodId; enabled: boolean; config: object | null }

/** What one coin costs now, where that was changed. */
export type KeptRate = { id: string; rate: string }

export const speeds = ['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed'] as const

export type InvoiceRequest = {
  /** None: whatever is paid is the amount. */
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

/** One way to pay an invoice, and what was paid that way. */
type Prompt = {
  method: MethodId
  destination: string | null
  rate: string
  /** What the next payment costs, in coins, if anything; it does not count as paid. */
  fee?: string
  payments: Payment[]
}

export type KeptInvoice = {
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

/** A refund that waits for the buyer to say where the money goes: BTCPay's pull payment. */
export type KeptClaim = {
  id: string
  invoice: string
  name: string
  description: string
  currency: string
  amount: string
  payoutMethods: MethodId[]
  autoApproveClaims: boolean
  archived: boolean
  /** What the buyer answered. */
  destination: string | null
  /** When they did, in seconds since 1970. */
  claimed?: number
  /** The shop approved and paid it. */
  isPaid?: boolean
  /** What was paid, at the rate of that moment. */
  paidCoins?: string
}

/** Where a store's events go. */
export type Webhook = {
  id: string
  enabled: boolean
  automaticRedelivery: boolean
  url: string
  authorizedEvents: { everything: boolean; specificEvents: string[] }
  secret: string
}

/** What a delivery says. */
export type Message = { id: string; body: string; created: number }
