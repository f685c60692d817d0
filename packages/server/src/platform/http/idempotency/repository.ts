import type { Kysely } from 'kysely'
import type { IdempotencyKeysTable } from './table.ts'

export type Tables = { idempotency_keys: IdempotencyKeysTable }
export type RequestName = Pick<IdempotencyKeysTable, 'caller' | 'method' | 'path' | 'key'>

type Attempt = { attempt: string; request_sha256: string; now: Date }

/** Claims the key for this attempt; `undefined` if another attempt has it. */
export function claim(db: Kysely<Tables>, name: RequestName, { now, ...attempt }: Attempt) {
  return db
    .insertInto('idempotency_keys')
    .values({ ...name, ...attempt, started_at: now, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('attempt')
    .executeTakeFirst()
}

export function find(db: Kysely<Tables>, name: RequestName) {
  return whereNamed(db.selectFrom('idempotency_keys'), name).selectAll().executeTakeFirst()
}

/** Takes over from an attempt that died without effect. */
export function takeOver(db: Kysely<Tables>, name: RequestName, dead: string, next: Attempt) {
  return whereNamed(db.updateTable('idempotency_keys'), name)
    .set({ attempt: next.attempt, started_at: next.now })
    .where('attempt', '=', dead)
    .where('effect_at', 'is', null)
    .where('status', 'is', null)
    .returning('attempt')
    .executeTakeFirst()
}

/** In the transaction of the effect: `undefined` means that another attempt owns the key now. */
export function noteEffect(db: Kysely<Tables>, name: RequestName, attempt: string, now: Date) {
  return whereNamed(db.updateTable('idempotency_keys'), name)
    .set({ effect_at: now })
    .where('attempt', '=', attempt)
    .where('status', 'is', null)
    .returning('attempt')
    .executeTakeFirst()
}

export async function keepAnswer(
  db: Kysely<Tables>,
  name: RequestName,
  attempt: string,
  answer: { status: number; body: string | null },
) {
  await whereNamed(db.updateTable('idempotency_keys'), name)
    .set(answer)
    .where('attempt', '=', attempt)
    .execute()
}

/** Releases the key unless the attempt had an effect. */
export async function release(db: Kysely<Tables>, name: RequestName, attempt: string) {
  await whereNamed(db.deleteFrom('idempotency_keys'), name)
    .where('attempt', '=', attempt)
    .where('effect_at', 'is', null)
    .execute()
}

export async function purge(db: Kysely<Tables>, olderThan: Date) {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', olderThan).execute()
}

type Filter = { where(column: keyof RequestName, op: '=', value: string): unknown }

function whereNamed<Query extends Filter>(query: Query, name: RequestName): Query {
  return (Object.entries(name) as [keyof RequestName, string][]).reduce(
    (narrowedQuery, [column, value]) => narrowedQuery.where(column, '=', value) as Query,
    query,
  )
}
