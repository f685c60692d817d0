import { sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'

/** A person whose account an operator deactivated. */
export type RemovedPeopleTable = { user_id: string; removed_at: Date }

/** The mailboxes of removed people, their alternate ids and proven wallets, as hashes. */
export type RemovedMailboxesTable = { mailbox_sha256: Buffer; user_id: string }

/**
 * Every mailbox that an account verified, as hashes. A trigger writes them. A deleted account has its
 * alternate id and proven wallets here too.
 */
export type VerifiedMailboxesTable = { user_id: string; mailbox_sha256: Buffer }

/** A deleted account whose mailboxes and cards are stored until then. */
export type RetainedPeopleTable = { user_id: string; until: Date }

/** A card that a user paid with. */
export type CardFingerprintsTable = { fingerprint: string; user_id: string; seen_at: Date }

export async function insertPerson(trx: Transaction, user_id: string, removed_at: Date) {
  await trx
    .insertInto('removed_people')
    .values({ user_id, removed_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The marks by which people are recognised, as hashes: every mailbox that they verified, the alternate
 * id, which an app derives from the device, and proven wallets.
 */
const marksOf = (user_ids: readonly string[]) => sql`
  select user_id, mailbox_sha256 from verified_mailboxes
  where user_id = any (${user_ids}::uuid[])
  union
  select id, sha256(convert_to('alternate_id ' || alternate_id, 'UTF8')) from users
  where id = any (${user_ids}::uuid[]) and alternate_id is not null
  union
  select user_id, sha256(convert_to('wallet ' || eth_address, 'UTF8')) from wallets
  where user_id = any (${user_ids}::uuid[]) and proven`

/** Marks a removed person, or an account that is about to be deleted. */
export async function insertMarks(
  trx: Transaction,
  table: 'removed_mailboxes' | 'verified_mailboxes',
  user_id: string,
) {
  await sql`insert into ${sql.table(table)} (user_id, mailbox_sha256) ${marksOf([user_id])}
    on conflict do nothing`.execute(trx)
}

export async function deleteMailboxes(trx: Transaction, user_id: string) {
  await trx.deleteFrom('verified_mailboxes').where('user_id', '=', user_id).execute()
}

/** Cascades to the mailboxes. */
export async function deletePerson(trx: Transaction, user_id: string) {
  await trx.deleteFrom('removed_people').where('user_id', '=', user_id).execute()
}

export async function isPersonRemoved(trx: Database, user_id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('removed_people')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether an id that the user owned since then has an open report or was suspended. A report names
 * the owner at its time; a transferred id can be reported and suspended later.
 */
export async function isSuspected(trx: Transaction, user_id: string, since: Date) {
  const { rows } = await sql<{ is_suspected: boolean }>`
    select exists (
      select from abuse_reports where owner_id = ${user_id} and decided_at is null
    ) or exists (
      select from audit_entries
      where subject_id = ${user_id} and event = 'emoji_id.suspended' and at >= ${since}
    ) or exists (
      select from transfers join emoji_ids using (emoji_id)
      where sender_id = ${user_id} and accepted_at >= ${since} and (
        suspended_at is not null or exists (
          select from abuse_reports report
          where report.emoji_id = transfers.emoji_id and decided_at is null))
    ) as is_suspected`.execute(trx)
  return rows[0]?.is_suspected === true
}

export async function insertRetention(trx: Transaction, user_id: string, until: Date) {
  await trx.insertInto('retained_people').values({ user_id, until }).execute()
}

export async function deleteRetention(trx: Transaction, user_id: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('retained_people')
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export const takeEndedRetentions = (trx: Transaction, at: Date) =>
  trx.deleteFrom('retained_people').where('until', '<=', at).returning('user_id').execute()

/** Compares the marks of the accounts, and their current address, verified or not. */
export async function findWithRemovedMark(trx: Transaction, user_ids: readonly string[]) {
  const { rows } = await sql<{ user_id: string }>`
    select mark.user_id from (${marksOf(user_ids)}) mark
      join removed_mailboxes removed using (mailbox_sha256)
    union
    select users.id from users
      join removed_mailboxes removed on removed.mailbox_sha256 = any (hash_mailbox_forms(users.email))
    where users.id = any (${user_ids}::uuid[])`.execute(trx)
  return rows
}

export async function isCardRemoved(trx: Database, fingerprint: string): Promise<boolean> {
  const row = await trx
    .selectFrom('card_fingerprints as card')
    .innerJoin('removed_people as person', 'person.user_id', 'card.user_id')
    .select('card.user_id')
    .where('card.fingerprint', '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the user paid with a card that a removed person paid with too. */
export async function hasRemovedCard(trx: Transaction, user_id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('card_fingerprints as own')
    .innerJoin('card_fingerprints as card', 'card.fingerprint', 'own.fingerprint')
    .innerJoin('removed_people as person', 'person.user_id', 'card.user_id')
    .select('own.user_id')
    .where('own.user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether its user or another payer with this card is removed. */
export async function insertCard(
  trx: Transaction,
  { fingerprint, user_id, seen_at }: CardFingerprintsTable,
): Promise<boolean> {
  const { rows } = await sql`
    with stored as (
      insert into card_fingerprints (fingerprint, user_id, seen_at)
      values (${fingerprint}, ${user_id}, ${seen_at}) on conflict do nothing
    )
    -- A statement does not see the row that it inserts.
    select from removed_people where user_id = ${user_id}
      or user_id in (select user_id from card_fingerprints where fingerprint = ${fingerprint})
    limit 1`.execute(trx)
  return rows.length > 0
}

export async function deleteCards(trx: Transaction, user_id: string) {
  await trx.deleteFrom('card_fingerprints').where('user_id', '=', user_id).execute()
}
