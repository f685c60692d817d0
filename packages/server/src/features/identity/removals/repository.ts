import type { Transaction } from '../../../tables.ts'

export async function insertPerson(trx: Transaction, user_id: string, removed_at: Date) {
  await trx
    .insertInto('removed_people')
    .values({ user_id, removed_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function insertMailbox(trx: Transaction, user_id: string, mailbox_sha256: Buffer) {
  await trx
    .insertInto('removed_mailboxes')
    .values({ user_id, mailbox_sha256 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Cascades to the mailboxes. */
export async function deletePerson(trx: Transaction, user_id: string) {
  await trx.deleteFrom('removed_people').where('user_id', '=', user_id).execute()
}

export async function isPersonRemoved(trx: Transaction, user_id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('removed_people')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

export async function isMailboxRemoved(trx: Transaction, sha256: Buffer): Promise<boolean> {
  const row = await trx
    .selectFrom('removed_mailboxes')
    .select('user_id')
    .where('mailbox_sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isCardRemoved(trx: Transaction, fingerprint: string): Promise<boolean> {
  const row = await trx
    .selectFrom('card_fingerprints as card')
    .innerJoin('removed_people as person', 'person.user_id', 'card.user_id')
    .select('card.user_id')
    .where('card.fingerprint', '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertCard(
  trx: Transaction,
  card: { fingerprint: string; user_id: string; seen_at: Date },
) {
  await trx
    .insertInto('card_fingerprints')
    .values(card)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteCards(trx: Transaction, user_id: string) {
  await trx.deleteFrom('card_fingerprints').where('user_id', '=', user_id).execute()
}
