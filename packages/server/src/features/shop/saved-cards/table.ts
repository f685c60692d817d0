/** Customer ids of buyers at the card provider. */
export type PaymentCustomersTable = {
  user_id: string
  customer: string
  /** The default card, as long as it exists. */
  default_payment_method: string | null
}
