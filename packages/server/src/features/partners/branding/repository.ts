import type { Insertable, Kysely } from 'kysely'
import type { Tables, Transaction } from '../../../tables.ts'

export const find = (db: Kysely<Tables>, organization_id: string) =>
  db
    .selectFrom('brandings')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .executeTakeFirst()

/** Replaces everything except the time of creation. */
export function put(trx: Transaction, branding: Insertable<Tables['brandings']>) {
  const { organization_id: _same, created_at: _first, ...change } = branding
  return trx
    .insertInto('brandings')
    .values(branding)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow()
}
