import { type Generated, type Insertable, type Selectable, sql } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

/** A WebAuthn credential of an account. */
export type PasskeysTable = {
  id: Generated<string>
  user_id: string
  /** base64url, as browsers send it. */
  credential_id: string
  /** COSE. */
  public_key: Buffer
  /** PostgreSQL returns a bigint as text. */
  counter: string | number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
  /** When it began to count as a code. Null for a passkey that is older than the second factor. */
  confirmed_at: Date | null
}

export type Passkey = Selectable<PasskeysTable>

/** Challenges that were accepted once, until they expire. */
export type UsedPasskeyChallengesTable = { challenge_sha256: Buffer; expires_at: Date }

export const findOfUser = (db: Database, user_id: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findByCredential = (db: Database, credential_id: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credential_id)
    .executeTakeFirst()

/** Returns undefined if the credential is registered already. */
export const insert = (trx: Transaction, passkey: Insertable<Tables['passkeys']>) =>
  trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Returns undefined if the counter did not grow: the authenticator was copied. Some always send 0. */
export const recordUse = (trx: Transaction, id: string, counter: number, at: Date) =>
  trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst()

export const rename = (trx: Transaction, user_id: string, id: string, name: string) =>
  trx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()

export const confirm = (trx: Transaction, user_id: string, id: string, at: Date) =>
  trx
    .updateTable('passkeys')
    .set({ confirmed_at: at })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()

export const unconfirmOfUser = async (trx: Transaction, user_id: string): Promise<void> => {
  await trx
    .updateTable('passkeys')
    .set({ confirmed_at: null })
    .where('user_id', '=', user_id)
    .execute()
}

export const remove = (trx: Transaction, user_id: string, id: string) =>
  trx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()

export const removeOfUser = async (trx: Transaction, user_id: string): Promise<void> => {
  await trx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()
}

/** Returns undefined if the challenge was used before. */
export const useChallenge = (trx: Transaction, challenge_sha256: Buffer, expires_at: Date) =>
  trx
    .insertInto('used_passkey_challenges')
    .values({ challenge_sha256, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()

export const purgeChallenges = async (db: Database, before: Date): Promise<void> => {
  await db.deleteFrom('used_passkey_challenges').where('expires_at', '<', before).execute()
}
