import { type Generated, sql } from 'kysely'
import { containsPattern } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import { normaliseMailAddress } from '../../../platform/mail/address.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { GlobalRole } from '../../operations/access/access.ts'
import type { UserQuery } from './schema.ts'

/** A feature that is switched on for some users. */
export type FeaturesTable = { id: Generated<string>; code: string }
export type UserFeaturesTable = { user_id: string; feature_id: string }

export function findPage(db: Database, query: UserQuery) {
  const text = query.q?.trim() ?? ''
  const { role, emoji_id } = query
  let matchingQuery = db.selectFrom('users')
  if (role) matchingQuery = matchingQuery.where('role', '=', role)
  if (emoji_id !== undefined) matchingQuery = matchingQuery.where(owns(emoji_id))
  if (text !== '') matchingQuery = matchingQuery.where('searchable', 'like', containsPattern(text))
  return readPage(db, matchingQuery, query)
}

const owns = (emoji_id: string) => sql<boolean>`id = any (array(
  select keys.user_id from emoji_ids join keys on keys.pubkey = emoji_ids.pubkey
  where emoji_ids.emoji_id = ${emoji_id}))`

export const findFeatures = (db: Database, user_id: string) =>
  db
    .selectFrom('features')
    .innerJoin('user_features', 'user_features.feature_id', 'features.id')
    .select(['features.id', 'features.code'])
    .where('user_id', '=', user_id)
    .orderBy('code')
    .execute()

export const findAllFeatures = (db: Database) =>
  db.selectFrom('features').select(['id', 'code']).orderBy('code').execute()

/** Creates features that do not exist yet. */
export async function replaceFeatures(trx: Transaction, user_id: string, codes: readonly string[]) {
  await trx.deleteFrom('user_features').where('user_id', '=', user_id).execute()
  if (codes.length === 0) return
  await trx
    .insertInto('features')
    .values(codes.map((code) => ({ code })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('user_features')
    .columns(['user_id', 'feature_id'])
    .expression((eb) =>
      eb
        .selectFrom('features')
        .select([sql<string>`${user_id}::uuid`.as('user_id'), 'id'])
        .where('code', 'in', codes),
    )
    .execute()
}

/** Locks the active Supers in the order of their ids. */
export const lockSupers = (trx: Transaction) =>
  trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'Super')
    .where('deactivated_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

export const findByEmailToChange = (trx: Transaction, email: string) =>
  trx
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email)`, '=', normaliseMailAddress(email))
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Locks a deleted account. */
export const findDeletedToChange = (trx: Transaction, id: string) =>
  trx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

export const setRole = (trx: Transaction, id: string, role: GlobalRole, updated_at: Date) =>
  trx.updateTable('users').set({ role, updated_at }).where('id', '=', id).execute()
