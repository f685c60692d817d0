import { type Generated, type Insertable, sql } from 'kysely'
import { likeWideNetwork } from '../../../platform/http/network.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { Provider } from '../../operations/access/access.ts'

/** An enabled second factor. */
export type SecondFactorsTable = {
  user_id: string
  provider: Provider
  /** The shared secret, or the phone number. */
  sealed: string
  last_step: number | null
  confirmed_at: Date
  /** The rate limit key of the client that gave the last accepted code. */
  last_network: string | null
}

/** A second factor that is not confirmed yet; one per session, which alone may confirm it. */
export type SecondFactorSetupsTable = {
  session_id: string
  user_id: string
  provider: Provider
  sealed: string
  is_default: boolean
  backup_codes_sha256: Buffer[]
  created_at: Date
}

export type BackupCodesTable = { user_id: string; code_sha256: Buffer }

/** A code that was sent to one phone, for the session that requested it. */
export type SmsCodesTable = {
  session_id: string
  user_id: string
  code_hmac: Buffer
  tries: number
  created_at: Date
  expires_at: Date
}

/**
 * Text messages of the last days, for rate limits. Columns that were added later are null in older
 * rows.
 */
export type SmsSendingsTable = {
  user_id: string
  at: Date
  /** Phone numbers are personal data, so the table stores only a keyed hash. */
  phone_hmac: Buffer | null
  network: string | null
  country: string | null
  purpose: SmsPurpose | null
  has_email: boolean | null
  /** Requested from the network of the last accepted code. */
  is_known: Generated<boolean>
}

/** `confirm` sets up a phone, `give` is the second factor. A code works for its purpose only. */
export type SmsPurpose = 'confirm' | 'give'

export const putSetup = (trx: Transaction, setup: Insertable<Tables['second_factor_setups']>) =>
  trx
    .insertInto('second_factor_setups')
    .values(setup)
    .onConflict((conflict) => {
      const { session_id: _, ...rest } = setup
      return conflict.column('session_id').doUpdateSet(rest)
    })
    .execute()

export const findSetup = (db: Database, session_id: string) =>
  db
    .selectFrom('second_factor_setups')
    .selectAll()
    .where('session_id', '=', session_id)
    .executeTakeFirst()

/** In all sessions of the user. */
export async function removeSetupsAndCodes(trx: Transaction, user_id: string) {
  await trx.deleteFrom('second_factor_setups').where('user_id', '=', user_id).execute()
  await trx.deleteFrom('sms_codes').where('user_id', '=', user_id).execute()
}

export const put = (trx: Transaction, factor: Insertable<Tables['second_factors']>) =>
  trx
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) => {
      const { user_id: _user, provider: _provider, ...rest } = factor
      return conflict.columns(['user_id', 'provider']).doUpdateSet(rest)
    })
    .execute()

export const find = (db: Database, user_id: string, provider: Provider) =>
  db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .executeTakeFirst()

export const noteNetwork = (trx: Transaction, user_id: string, last_network: string) =>
  trx.updateTable('second_factors').set({ last_network }).where('user_id', '=', user_id).execute()

/** Prevents replay: accepts only a step that is newer than the last accepted one. */
export async function takeStep(trx: Transaction, user_id: string, step: number): Promise<boolean> {
  const row = await trx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('provider', '=', 'AuthenticatorApp')
    .where(({ or, eb }) => or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export const remove = (trx: Transaction, user_id: string, providers: readonly Provider[]) =>
  trx
    .deleteFrom('second_factors')
    .where('user_id', '=', user_id)
    .where('provider', 'in', providers)
    .execute()

export async function replaceBackupCodes(trx: Transaction, user_id: string, hashes: Buffer[]) {
  await trx.deleteFrom('backup_codes').where('user_id', '=', user_id).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('backup_codes')
    .values(hashes.map((code_sha256) => ({ user_id, code_sha256 })))
    .execute()
}

export async function takeBackupCode(trx: Transaction, user_id: string, code_sha256: Buffer) {
  const row = await trx
    .deleteFrom('backup_codes')
    .where('user_id', '=', user_id)
    .where('code_sha256', '=', code_sha256)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export const putSmsCode = (trx: Transaction, code: Insertable<Tables['sms_codes']>) =>
  trx
    .insertInto('sms_codes')
    .values(code)
    .onConflict((conflict) => {
      const { session_id: _, ...rest } = code
      return conflict.column('session_id').doUpdateSet(rest)
    })
    .execute()

/** Counts the attempt before the code is compared. */
export const trySmsCode = (trx: Transaction, session_id: string, at: Date, triesAtMost: number) =>
  trx
    .updateTable('sms_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('session_id', '=', session_id)
    .where('expires_at', '>', at)
    .where('tries', '<', triesAtMost)
    .returning('session_id')
    .executeTakeFirst()

/** Uses the code up if it is right. */
export const useSmsCode = (trx: Transaction, session_id: string, code_hmac: Buffer) =>
  trx
    .deleteFrom('sms_codes')
    .where('session_id', '=', session_id)
    .where('code_hmac', '=', code_hmac)
    .returning('session_id')
    .executeTakeFirst()

export type SmsSending = {
  user_id: string
  at: Date
  phone_hmac: Buffer
  network: string
  country: string
  purpose: SmsPurpose
  has_email: boolean
  /** The account gave its last accepted code from this network. */
  is_known: boolean
}

/**
 * Counts earlier messages for each rate limit. The lock until the end of the transaction keeps
 * concurrent requests from exceeding a limit together.
 */
export async function countSendings(
  trx: Transaction,
  sending: SmsSending,
  since: { hourAgo: Date; dayAgo: Date },
) {
  await sql`select pg_advisory_xact_lock(hashtextextended('sms sendings', 0))`.execute(trx)
  const counts = await trx
    .selectFrom('sms_sendings')
    .select(({ fn }) => {
      const count = () => fn.countAll<string>()
      const ofPurpose = () => count().filterWhere('purpose', '=', sending.purpose)
      const inNetwork = () => ofPurpose().filterWhere('network', '=', sending.network)
      const ofUser = () =>
        count()
          .filterWhere('user_id', '=', sending.user_id)
          .filterWhere('is_known', '=', sending.is_known)
      const ofUserHere = () =>
        ofUser().filterWhere('network', 'like', likeWideNetwork(sending.network))
      const giveToPhone = (counted: ReturnType<typeof ofUser>) =>
        counted
          .filterWhere('purpose', '=', 'give')
          .filterWhere('phone_hmac', '=', sending.phone_hmac)
      const inWideNetwork = () =>
        ofPurpose().filterWhere('network', 'like', likeWideNetwork(sending.network))
      return [
        ofUserHere().filterWhere('at', '>', since.hourAgo).as('user'),
        ofUser()
          .filterWhere('purpose', '=', sending.purpose)
          .filterWhere('at', '>', since.hourAgo)
          .as('userAnywhere'),
        giveToPhone(ofUserHere()).as('givenHere'),
        giveToPhone(ofUser()).as('givenAnywhere'),
        ofPurpose().filterWhere('phone_hmac', '=', sending.phone_hmac).as('phone'),
        ofPurpose()
          .filterWhere('phone_hmac', '=', sending.phone_hmac)
          .filterWhere('user_id', '=', sending.user_id)
          .as('phoneByUser'),
        inWideNetwork().filterWhere('phone_hmac', '=', sending.phone_hmac).as('phoneByNetwork'),
        inNetwork().as('network'),
        inNetwork().filterWhere('has_email', '=', false).as('networkWithoutEmail'),
        inWideNetwork().as('wideNetwork'),
        inWideNetwork().filterWhere('has_email', '=', false).as('wideNetworkWithoutEmail'),
        count().filterWhere('country', '=', sending.country).as('country'),
        count().as('day'),
      ]
    })
    .where('at', '>', since.dayAgo)
    .executeTakeFirstOrThrow()
  return {
    user: Number(counts.user),
    userAnywhere: Number(counts.userAnywhere),
    givenHere: Number(counts.givenHere),
    givenAnywhere: Number(counts.givenAnywhere),
    phone: Number(counts.phone),
    phoneByUser: Number(counts.phoneByUser),
    phoneByNetwork: Number(counts.phoneByNetwork),
    network: Number(counts.network),
    networkWithoutEmail: Number(counts.networkWithoutEmail),
    wideNetwork: Number(counts.wideNetwork),
    wideNetworkWithoutEmail: Number(counts.wideNetworkWithoutEmail),
    country: Number(counts.country),
    day: Number(counts.day),
  }
}

export const recordSending = (trx: Transaction, sending: SmsSending) =>
  trx.insertInto('sms_sendings').values(sending).execute()

export async function deleteBefore(db: Database, end: Date) {
  await db.deleteFrom('sms_sendings').where('at', '<', end).execute()
  await db.deleteFrom('sms_codes').where('expires_at', '<', end).execute()
  await db.deleteFrom('second_factor_setups').where('created_at', '<', end).execute()
}

/** Wraps all secrets with the current master key, including unfinished setups; returns how many. */
export async function rewrap(db: Database, rewrapOne: Rewrap): Promise<number> {
  let count = 0
  for (const table of ['second_factors', 'second_factor_setups'] as const) {
    const rows = await db.selectFrom(table).select(['user_id', 'provider', 'sealed']).execute()
    for (const { user_id, provider, sealed } of rows) {
      const wrapped = rewrapOne(user_id, provider, sealed)
      if (wrapped === sealed) continue
      await db
        .updateTable(table)
        .set({ sealed: wrapped })
        .where('user_id', '=', user_id)
        .where('sealed', '=', sealed)
        .execute()
      count++
    }
  }
  return count
}

type Rewrap = (user_id: string, provider: Provider, sealedText: string) => string
