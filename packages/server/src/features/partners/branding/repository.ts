import type { Insertable } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

/** The branding of an organization on partner pages. */
export type BrandingsTable = {
  organization_id: string
  /** The address that partner pages return to; used unchanged. */
  return_link: string
  currencies: string[]
  requires_email: boolean
  logo: string | null
  logo_small: string | null
  logo_thumbnail: string | null
  created_at: Date
  updated_at: Date
}

export const find = (db: Database, organization_id: string) =>
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
