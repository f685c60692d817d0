import type { Database } from '../../tables.ts'

export const findCustomer = (db: Database, user_id: string) =>
  db
    .selectFrom('payment_customers')
    .select('customer')
    .where('user_id', '=', user_id)
    .executeTakeFirst()

export const insertCustomer = (db: Database, user_id: string, customer: string) =>
  db
    .insertInto('payment_customers')
    .values({ user_id, customer })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
