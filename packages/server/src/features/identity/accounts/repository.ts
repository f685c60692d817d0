import {
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { nestRows } from '../../../platform/database/nested-rows.ts'
import { normaliseMailAddress } from '../../../platform/mail/address.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { GlobalRole, Provider } from '../../operations/access/access.ts'
import { type FormerMailbox, selectFormer } from '../links/links.ts'

export type UsersTable = {
  id: Generated<string>
  email: string | null
  email_verified_at: Date | null
  /** When the owner of the mailbox first signed in with an emailed link. */
  claimed_at: Date | null
  alternate_id: string | null
  source: string | null
  first_name: string | null
  last_name: string | null
  password_hash: string | null
  /** An app made the password; no person chose it. */
  password_by_app: Generated<boolean>
  role: Generated<GlobalRole>
  free_limit: Generated<number>
  free_used: Generated<number>
  activation_source: string | null
  partner_transaction_id: string | null
  two_factor_last_prompted_at: Date | null
  /** The enabled second factors; the first is the default. */
  two_factor_auth: Generated<Provider[]>
  /** Raising this revokes every session and access token. */
  epoch: Generated<number>
  deactivated_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  /** Lower-case text for searches. */
  searchable: GeneratedAlways<string>
}

export type User = Selectable<UsersTable>

/**
 * Returns undefined if the email address or alternate id is taken, also by a concurrent request.
 */
export const insert = (trx: Transaction, user: Insertable<Tables['users']>) =>
  trx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Database, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the user until the transaction ends; skips deleted accounts. */
export const findToChange = (trx: Transaction, id: string) =>
  trx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const findByEmail = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email)`, '=', normaliseMailAddress(email))
    .executeTakeFirst()

export const findByAlternateId = (db: Database, alternate_id: string) =>
  db.selectFrom('users').selectAll().where('alternate_id', '=', alternate_id).executeTakeFirst()

export const update = (trx: Transaction, id: string, change: Updateable<Tables['users']>) =>
  trx.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Whether the account has an id, a lootbox, or an order that is or may be paid. */
export async function ownsAnything(db: Database, id: string): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('emoji_ids')
            .innerJoin('keys', 'keys.pubkey', 'emoji_ids.pubkey')
            .select('keys.pubkey')
            .where('keys.user_id', '=', id),
        ),
        exists(selectFrom('lootboxes').select('lootboxes.id').where('owner_id', '=', id)),
        exists(
          selectFrom('orders')
            .select('orders.id')
            .where('orders.user_id', '=', id)
            .where('orders.status', 'in', ['PendingPayment', 'Paid']),
        ),
      ]),
    )
    .executeTakeFirst()
  return owner !== undefined
}

export async function hasOperator(db: Database): Promise<boolean> {
  const operators = db.selectFrom('users').select('id').where('role', 'in', ['Admin', 'Super'])
  return (await operators.limit(1).executeTakeFirst()) !== undefined
}

export const raiseEpoch = (trx: Transaction, id: string) =>
  trx
    .updateTable('users')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const recordPrompt = (db: Database, id: string, at: Date) =>
  db.updateTable('users').set({ two_factor_last_prompted_at: at }).where('id', '=', id).execute()

/** Users with their former mailboxes that still have their remedies: the readers of notices. */
export async function findAll(db: Database, ids: readonly string[], at: Date) {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .select(nestRows(selectFormer(sql.ref('users.id'), at)).as('former'))
    .where('id', 'in', ids)
    .execute()
  const toDates = ({ email, since, until }: FormerMailbox) => {
    return { email, since: new Date(since), until: new Date(until) }
  }
  return rows.map(({ former, ...user }) => ({ ...user, former: former.map(toDates) }))
}

/** Users with their keys, of which the first one stands first. */
export const findWithPubkeys = (db: Database, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .selectAll()
    .select(
      sql<string[]>`array(select pubkey from keys where keys.user_id = users.id
        order by keys.created_at, pubkey)`.as('pubkeys'),
    )
    .where('id', 'in', ids)
    .execute()

/** Operators who have an email address. */
export const findOperators = (db: Database) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('role', 'in', ['Admin', 'Super'])
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('email', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .execute()

/** Takes ids from the user's free allowance; returns false if fewer are left. */
export async function takeFree(trx: Transaction, id: string, count: number): Promise<boolean> {
  const updated = await trx
    .updateTable('users')
    .set(({ eb }) => ({ free_used: eb('free_used', '+', count) }))
    .where('id', '=', id)
    .where(({ eb }) => eb('free_limit', '>=', eb('free_used', '+', count)))
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}
