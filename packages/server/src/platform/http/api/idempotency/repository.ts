import type { ColumnType, Kysely } from 'kysely'
import { dayMs } from '../../../time.ts'

/** One idempotent request and its outcome. */
export type IdempotencyKeysTable = {
  /** The hash of caller, method, path and key. */
  name_sha256: Buffer
  request_sha256: string
  /** The current attempt. An attempt that was taken over cannot commit. */
  attempt: string
  started_at: Date
  /** The time of the effect, written in its transaction. */
  effect_at: Date | null
  status: number | null
  /** Sealed. */
  body: string | null
  created_at: ColumnType<Date, Date, never>
}

export type Tables = { idempotency_keys: IdempotencyKeysTable }

type Attempt = { attempt: string; request_sha256: string; now: Date }

/** Claims the key for this attempt; `undefined` if another attempt has it. */
export function claim(db: Kysely<Tables>, name_sha256: Buffer, { now, ...attempt }: Attempt) {
  return db
    .insertInto('idempotency_keys')
    .values({ name_sha256, ...attempt, started_at: now, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('attempt')
    .executeTakeFirst()
}

export function find(db: Kysely<Tables>, name_sha256: Buffer) {
  return db
    .selectFrom('idempotency_keys')
    .where('name_sha256', '=', name_sha256)
    .selectAll()
    .executeTakeFirst()
}

/** Takes over from an attempt that died without effect. */
export function takeOver(db: Kysely<Tables>, name_sha256: Buffer, dead: string, next: Attempt) {
  return db
    .updateTable('idempotency_keys')
    .where('name_sha256', '=', name_sha256)
    .set({ attempt: next.attempt, started_at: next.now })
    .where('attempt', '=', dead)
    .where('effect_at', 'is', null)
    .where('status', 'is', null)
    .returning('attempt')
    .executeTakeFirst()
}

/** Runs in the transaction of the effect. `undefined` means that another attempt owns the key now. */
export function noteEffect(db: Kysely<Tables>, name_sha256: Buffer, attempt: string, now: Date) {
  return db
    .updateTable('idempotency_keys')
    .where('name_sha256', '=', name_sha256)
    .set({ effect_at: now })
    .where('attempt', '=', attempt)
    .where('status', 'is', null)
    .returning('attempt')
    .executeTakeFirst()
}

export async function keepAnswer(
  db: Kysely<Tables>,
  name_sha256: Buffer,
  attempt: string,
  answer: { status: number; body: string | null },
) {
  await db
    .updateTable('idempotency_keys')
    .where('name_sha256', '=', name_sha256)
    .set(answer)
    .where('attempt', '=', attempt)
    .execute()
}

/** Releases the key unless the attempt had an effect. */
export async function release(db: Kysely<Tables>, name_sha256: Buffer, attempt: string) {
  await db
    .deleteFrom('idempotency_keys')
    .where('name_sha256', '=', name_sha256)
    .where('attempt', '=', attempt)
    .where('effect_at', 'is', null)
    .execute()
}

const storedForMs = dayMs

export async function purgeResponses(db: Kysely<Tables>, at: Date): Promise<void> {
  const before = new Date(at.getTime() - storedForMs)
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
