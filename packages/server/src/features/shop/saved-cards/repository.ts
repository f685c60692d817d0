import type { Database } from '../../../tables.ts'

/** Customer ids of buyers at the card provider. */
export type PaymentCustomersTable = {
  user_id: string
  customer: string
  /** The default card, as long as it exists. */
  default_payment_method: string | null
}

export const findCustomer = (db: Database, user_id: string) =>
  db
    .selectFrom('payment_customers')
    .select(['customer', 'default_payment_method'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()

export const insertCustomer = (db: Database, user_id: string, customer: string) =>
  db
    .insertInto('payment_customers')
    .values({ user_id, customer })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const setDefault = (db: Database, user_id: string, default_payment_method: string) =>
  db
    .updateTable('payment_customers')
    .set({ default_payment_method })
    .where('user_id', '=', user_id)
    .execute()

/** The condition protects another default that was chosen meanwhile. */
export const clearDefault = (db: Database, user_id: string, id: string) =>
  db
    .updateTable('payment_customers')
    .set({ default_payment_method: null })
    .where('user_id', '=', user_id)
    .where('default_payment_method', '=', id)
    .execute()
