/** Buyers as the provider of cards knows them. */
export type PaymentCustomersTable = {
  user_id: string
  customer: string
  /** The card that the buyer chose, while it is kept. */
  default_payment_method: string | null
}
