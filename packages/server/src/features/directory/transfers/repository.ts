import {
  type Generated,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import { readPage } from '../../../platform/database/page.ts'
import { mailboxOf, mailboxSql } from '../../../platform/mail/address.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { OutgoingQuery } from './schema.ts'

export type Status = 'awaiting_sender' | 'awaiting_receiver' | 'accepted' | 'closed'

/** An open or closed transfer of an id to another owner. */
export type TransfersTable = {
  id: Generated<string>
  emoji_id: string
  status: Status
  sender_id: string
  /** Null for a transfer to an organization. */
  recipient_id: string | null
  /** The organization whose key is addressed; its power roles accept. */
  organization_id: string | null
  /** Email address as sent; empty for a transfer to a key. */
  email: string
  pubkey: string | null
  clear_on_transfer: boolean
  message: string | null
  /** The recipient sees the sender's email address. */
  shows_sender: Generated<boolean>
  /** HMAC of the expected code; null if no code was emailed. */
  code_hmac: Buffer | null
  code_sent_at: Date | null
  /** Wrong codes in the current state. */
  tries: Generated<number>
  created_at: Date
  sender_code_accepted_at: Date | null
  accepted_at: Date | null
  deleted_at: Date | null
}

export type Transfer = Selectable<TransfersTable>

const openStates = ['awaiting_sender', 'awaiting_receiver'] as const

/** Returns undefined if another open transfer has the id. */
export const insert = (trx: Transaction, transfer: Insertable<Tables['transfers']>) =>
  trx
    .insertInto('transfers')
    .values(transfer)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Database, id: string) =>
  db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst()

export const findToChange = (trx: Transaction, id: string) =>
  trx.selectFrom('transfers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns undefined if the transfer is not in the expected state. */
export const update = (
  trx: Transaction,
  { id, from }: { id: string; from: Status },
  change: Updateable<Tables['transfers']>,
) =>
  trx
    .updateTable('transfers')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()

const findOpen = (db: Database) =>
  db.selectFrom('transfers').selectAll().where('status', 'in', openStates)

export const findOpenOfId = (db: Database, emoji_id: string) =>
  findOpen(db).where('emoji_id', '=', emoji_id).executeTakeFirst()

export const findOpenOfSender = (trx: Transaction, sender_id: string) =>
  findOpen(trx).where('sender_id', '=', sender_id).orderBy('id').execute()

export const findOpenOfUser = (db: Database, user_id: string) =>
  findOpen(db)
    .where(({ or, eb }) => or([eb('sender_id', '=', user_id), eb('recipient_id', '=', user_id)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Without the other columns: an account can have as many open transfers as ids. */
export const findOpenIds = (db: Database, user_id: string, organization_ids: readonly string[]) =>
  db
    .selectFrom('transfers')
    .select(['emoji_id', 'sender_id'])
    .where('status', 'in', openStates)
    .where(({ or, eb }) =>
      or([
        eb('sender_id', '=', user_id),
        eb('recipient_id', '=', user_id),
        eb('organization_id', '=', sql<string>`any (${organization_ids}::uuid[])`),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findOpenSince = (db: Database, before: Date, limit: number) =>
  findOpen(db).where('created_at', '<=', before).orderBy('created_at').limit(limit).execute()

export async function countBegun(trx: Transaction, sender_id: string, since: Date) {
  const { count } = await trx
    .selectFrom('transfers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('sender_id', '=', sender_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Offer = Pick<
  Selectable<Tables['transfers']>,
  'sender_id' | 'recipient_id' | 'organization_id' | 'email' | 'pubkey'
>

/**
 * Counts offers of a sender that ended without an acceptance, to this key or mailbox. The answer
 * depends on what the sender typed alone: counted by account, it would connect a key with a mailbox.
 */
export const countEnded = (trx: Transaction, { sender_id, email, pubkey }: Offer, since: Date) =>
  countUnaccepted(
    trx,
    sender_id,
    since,
    pubkey
      ? sql<SqlBool>`pubkey = ${pubkey}`
      : sql<SqlBool>`${sql.raw(mailboxSql('email'))} = ${mailboxOf(email)}`,
  )

/** Counts the same by account or organization. No answer may depend on it. */
export const countEndedOfRecipient = (
  trx: Transaction,
  { sender_id, recipient_id, organization_id }: Offer,
  since: Date,
) =>
  countUnaccepted(
    trx,
    sender_id,
    since,
    sql<SqlBool>`(recipient_id = ${recipient_id} or organization_id = ${organization_id})`,
  )

async function countUnaccepted(
  trx: Transaction,
  sender_id: string,
  since: Date,
  isAddressed: RawBuilder<SqlBool>,
) {
  const { count } = await trx
    .selectFrom('transfers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('sender_id', '=', sender_id)
    .where('created_at', '>', since)
    .where('status', '=', 'closed')
    .where('sender_code_accepted_at', 'is not', null)
    .where(isAddressed)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts emails of all senders to any address of the mailbox, under a lock until the transaction ends. */
export async function countTo(trx: Transaction, email: string, since: Date) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${mailboxOf(email)}`}, 0))`.execute(
    trx,
  )
  const { count } = await trx
    .selectFrom('transfers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(sql.raw(mailboxSql('email')), '=', mailboxOf(email))
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts emails of all senders to the power roles, under a lock until the transaction ends. */
export async function countToOrganization(trx: Transaction, organization_id: string, since: Date) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`organization ${organization_id}`}, 0))`.execute(
    trx,
  )
  const { count } = await trx
    .selectFrom('transfers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findOutgoing(db: Database, sender_id: string, query: OutgoingQuery) {
  const { accepted_after } = query
  const sentQuery = db.selectFrom('transfers').where('sender_id', '=', sender_id)
  const matchingQuery = accepted_after
    ? sentQuery.where('accepted_at', '>', new Date(accepted_after))
    : sentQuery
  return readPage(db, matchingQuery, query)
}

/** Transfers to a user or to these organizations. */
export const findIncoming = (
  db: Database,
  recipient_id: string | null,
  organization_ids: readonly string[],
  states: readonly Status[],
) =>
  db
    .selectFrom('transfers')
    .selectAll()
    .where(({ or, eb }) =>
      or([
        eb('recipient_id', '=', recipient_id),
        eb('organization_id', '=', sql<string>`any (${organization_ids}::uuid[])`),
      ]),
    )
    .where('status', 'in', states)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()

/**
 * Which of these ids have a token that is not in a proven wallet of the user, or may have one: a
 * signature was issued, and its end was not confirmed.
 */
export async function findTokensElsewhere(
  db: Database,
  emoji_ids: readonly string[],
  user_id: string | null,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('emoji_ids')
    .select('emoji_id')
    .where('emoji_id', '=', sql<string>`any (${emoji_ids}::text[])`)
    .where(({ or, eb }) => or([eb('minted', '=', true), eb('signed_until', 'is not', null)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('wallets')
            .select('wallets.eth_address')
            .where('wallets.user_id', '=', user_id)
            .where('wallets.proven', '=', true)
            .whereRef('wallets.eth_address', '=', 'emoji_ids.token_account'),
        ),
      ),
    )
    .execute()
  return new Set(rows.map(({ emoji_id }) => emoji_id))
}

/** Accepted transfers of these ids since then, oldest first. */
export const findAccepted = (
  db: Database,
  emoji_ids: readonly string[],
  since: Date,
  limit: number,
) =>
  db
    .selectFrom('transfers')
    .select(['emoji_id', 'sender_id', 'recipient_id', 'accepted_at'])
    .where('emoji_id', 'in', emoji_ids)
    .where('accepted_at', '>=', since)
    .orderBy('accepted_at')
    .limit(limit)
    .execute()

/** Anonymises closed transfers; they stay in the books. */
export async function forgetPerson(trx: Transaction, user_id: string): Promise<void> {
  await trx
    .updateTable('transfers')
    .set({ email: '', message: null })
    .where('recipient_id', '=', user_id)
    .execute()
  await trx
    .updateTable('transfers')
    .set({ message: null })
    .where('sender_id', '=', user_id)
    .execute()
}

/**
 * When the user received the id by transfer, in a query of `emoji_ids as id`; null if they did not.
 * A transfer from before the present registration of the id does not count.
 */
export const receivedAt = (user_id: string) => sql<Date | null>`(
  select max(accepted_at) from transfers
  where recipient_id = ${user_id} and transfers.emoji_id = id.emoji_id
    and status = 'accepted' and accepted_at >= id.created_at)`
