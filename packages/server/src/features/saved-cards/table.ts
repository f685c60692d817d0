/** Buyers as the provider of cards knows them. */
export type PaymentCustomersTable = { user_id: string; customer: string }
