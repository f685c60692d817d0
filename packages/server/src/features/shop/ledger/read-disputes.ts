import type { Database } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import * as entries from './repository.ts'
import type { DisputeQuery } from './schema.ts'

export const findDispute = ({ db }: Deps, id: string, from: Database = db) =>
  entries.findDispute(from, id)

export async function findDisputes(from: Database, order_ids: readonly string[]) {
  return order_ids.length === 0 ? [] : entries.findDisputes(from, order_ids)
}

export const listDisputes = ({ db }: Deps, query: DisputeQuery) =>
  entries.findDisputePage(db, query)

/** Returns the references that are known. */
export async function findKnownDisputes({ db }: Deps, references: readonly string[]) {
  if (references.length === 0) return new Set<string>()
  const rows = await entries.findDisputeReferences(db, references)
  return new Set(rows.map(({ reference }) => reference))
}

export const isPaymentDisputed = async ({ db }: Deps, payment_id: number): Promise<boolean> =>
  (await entries.findOpenDispute(db, payment_id)) !== undefined

/** Attempts with an open dispute. */
export async function findDisputedAttempts({ db }: Deps): Promise<string[]> {
  return (await entries.findDisputedAttempts(db)).flatMap(({ attempt_id }) => attempt_id ?? [])
}
