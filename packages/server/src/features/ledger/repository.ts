import type { Insertable, Kysely } from 'kysely'
import { readPage } from '../../platform/database/page.ts'
import type { Tables, Transaction } from '../../tables.ts'
import type { RefundQuery } from './schema.ts'
import type { RefundsTable } from './table.ts'

type Db = Kysely<Tables>

/** Nothing when it stands in the ledger already. */
export const insertEntry = (trx: Transaction, entry: Insertable<Tables['ledger_entries']>) =>
  trx
    .insertInto('ledger_entries')
    .values(entry)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findEntries = (db: Db, order_ids: readonly string[]) =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('order_id', 'in', order_ids)
    .orderBy('id')
    .execute()

export const findEntry = (db: Db, id: number) =>
  db.selectFrom('ledger_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const insertRefund = (trx: Transaction, refund: Insertable<Tables['refunds']>) =>
  trx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export const findRefund = (db: Db, id: string) =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

export const findRefunds = (db: Db, order_id: string) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()

export const findRefundPage = (db: Db, query: RefundQuery) =>
  readPage(
    db
      .selectFrom('refunds')
      .$if(query.status !== undefined, (rows) => rows.where('status', '=', query.status ?? 'done')),
    query,
  )

export async function finishRefund(
  trx: Transaction,
  { id, from }: { id: string; from: RefundsTable['status'] },
  done: { reference: string; done_at: Date },
): Promise<boolean> {
  const finished = await trx
    .updateTable('refunds')
    .set({ ...done, status: 'done' })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  return finished !== undefined
}

export const findBooked = (db: Db, provider: string, references: readonly string[]) =>
  db
    .selectFrom('ledger_entries')
    .select('reference')
    .where('provider', '=', provider)
    .where('reference', 'in', references)
    .execute()
