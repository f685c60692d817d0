import { type Insertable, type JSONColumnType, type RawBuilder, sql } from 'kysely'
import { mailboxOf, mailboxSql, normaliseMailAddress } from '../../../platform/mail/address.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { FormerMailbox } from './rules.ts'

/** A one-time link or code, by the hash of its token. */
export type LinksTable = {
  token_sha256: Buffer
  purpose: LinkPurpose
  user_id: string
  data: JSONColumnType<LinkData>
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** A link works for one purpose only. */
export type LinkPurpose =
  | 'magic_link'
  | 'confirm_email'
  | 'change_email'
  | 'reset_password'
  /** Only counts the emails: they carry no token. */
  | 'password_hint'
  | 'first_password'
  | 'exchange'
  | 'undo_records'
  | 'cancel_change'
  | 'keep_delay'
  | 'end_interest'
  | 'not_me'
  | 'recover_factor'
  | 'finish_recovery'
  | 'gift'
  | 'hand_over'

/** Events whose emails have a "this was not me" link. */
export type NoticeEvent =
  | 'api_key'
  | 'delay_lock'
  /** To the former mailbox: the address of the account changed. */
  | 'email'
  | 'member'
  | 'passkey'
  | 'password'
  | 'pubkey'
  | 'refund'
  | 'second_factor'
  | 'signature'
  | 'wallet'

export type LinkData = {
  /** The mailbox that the link was sent to; for a change of the address, the new one. */
  email?: string
  redirect?: string
  linked_at?: string
  /** The epoch that the first emailed link of the account revoked. */
  claimed_epoch?: number
  emoji_id?: string
  /** The order of a requested refund. */
  order_id?: string
  version?: number
  /** The event of a "this was not me" link. */
  event?: NoticeEvent
  provider?: string
  /** For a changed member: the organization and the member. */
  organization_id?: string
  member_id?: string
  /** Instead of the member, for an invitation that a person may accept later. */
  invitation_id?: string
  /** For a raised delay lock: its former hours. */
  hours?: number
  /** The hash of the cookie of the browser that requested the link. */
  browser?: string
  /** The transfer of a gift link. */
  transfer_id?: string
  /** The session that continues at another of our sites, or that requested another address. */
  session_id?: string
  site?: 'authorization' | 'web'
}

export const insert = (trx: Transaction, link: Insertable<Tables['links']>) =>
  trx.insertInto('links').values(link).execute()

/** Links of deactivated accounts are invalid. */
const ofActiveUser = sql<boolean>`exists (
  select from users where users.id = links.user_id and users.deactivated_at is null)`

export const find = (db: Database, token_sha256: Buffer, purpose: LinkPurpose, at: Date) =>
  db
    .selectFrom('links')
    .select(['user_id', 'data', 'created_at'])
    .where('token_sha256', '=', token_sha256)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where(ofActiveUser)
    .executeTakeFirst()

/** The newest link of a user that still works. */
export const findOpen = (db: Database, user_id: string, purpose: LinkPurpose, at: Date) =>
  db
    .selectFrom('links')
    .select(['user_id', 'data', 'created_at'])
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Only one of many concurrent requests gets the row. */
export const use = (trx: Transaction, token_sha256: Buffer, purpose: LinkPurpose, at: Date) =>
  trx
    .updateTable('links')
    .set({ used_at: at })
    .where('token_sha256', '=', token_sha256)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where(ofActiveUser)
    .returning(['user_id', 'data', 'created_at'])
    .executeTakeFirst()

/** Whether there was one that was unused and had not expired. */
export async function useAll(
  trx: Transaction,
  user_id: string,
  purposes: readonly LinkPurpose[],
  at: Date,
): Promise<boolean> {
  const used = await trx
    .updateTable('links')
    .set({ used_at: at })
    .where('user_id', '=', user_id)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .returning('expires_at')
    .execute()
  return used.some(({ expires_at }) => expires_at > at)
}

/** Voids the links to one transfer. */
export const useOfTransfer = (trx: Transaction, user_id: string, transfer_id: string, at: Date) =>
  trx
    .updateTable('links')
    .set({ used_at: at })
    .where('user_id', '=', user_id)
    .where('purpose', '=', 'gift')
    .where(sql`data ->> 'transfer_id'`, '=', transfer_id)
    .where('used_at', 'is', null)
    .execute()

export const useEvery = (trx: Transaction, user_id: string, at: Date) =>
  trx
    .updateTable('links')
    .set({ used_at: at })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .execute()

/** The changes of the address that a former mailbox can still take back. */
export const selectFormer = (user_id: string | RawBuilder<unknown>, at: Date) =>
  sql<FormerMailbox>`(select data ->> 'email' as email, created_at as since, expires_at as until
    from links where user_id = ${user_id} and purpose = 'not_me' and ${ofChangedEmail}
      and used_at is null and expires_at > ${at}
    order by created_at)`

export const findFormer = async (db: Database, user_id: string, at: Date) =>
  (await selectFormer(user_id, at).execute(db)).rows

const ofChangedEmail = sql<boolean>`data ->> 'event' = 'email'`

/** The account that a former mailbox can still take back. */
export const findFormerlyOf = (trx: Database, email: string, at: Date) =>
  trx
    .selectFrom('links')
    .select('user_id')
    .where(sql.raw(mailboxSql(`data ->> 'email'`)), '=', mailboxOf(email))
    .where(sentTo, '=', normaliseMailAddress(email))
    .where('purpose', '=', 'not_me')
    .where(ofChangedEmail)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

const sentTo = sql<string>`lower(data ->> 'email')`

/** Links of a mailbox that are still valid stay valid at least until `until`. */
export const extend = (
  trx: Transaction,
  user_id: string,
  purposes: readonly LinkPurpose[],
  email: string,
  { at, until }: { at: Date; until: Date },
) =>
  trx
    .updateTable('links')
    .set({ expires_at: sql`greatest(expires_at, ${until})` })
    .where('user_id', '=', user_id)
    .where('purpose', 'in', purposes)
    .where(sentTo, '=', normaliseMailAddress(email))
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()

/** Voids the links that were sent to other mailboxes than these. */
export const useOfOthers = (
  trx: Transaction,
  user_id: string,
  purposes: readonly LinkPurpose[],
  emails: readonly string[],
  at: Date,
) =>
  trx
    .updateTable('links')
    .set({ used_at: at })
    .where('user_id', '=', user_id)
    .where('purpose', 'in', purposes)
    .where(sentTo, 'not in', emails.map(normaliseMailAddress))
    .where('used_at', 'is', null)
    .execute()

/** Voids the notices that a mailbox got since a time, and returns them. */
export const useNotices = (
  trx: Transaction,
  user_id: string,
  { email, since }: { email: string; since: Date },
  at: Date,
) =>
  trx
    .updateTable('links')
    .set({ used_at: at })
    .where('user_id', '=', user_id)
    .where('purpose', '=', 'not_me')
    .where(sentTo, '=', normaliseMailAddress(email))
    .where('created_at', '>=', since)
    .where('used_at', 'is', null)
    .returning(['user_id', 'data', 'created_at'])
    .execute()

export async function countSince(
  trx: Transaction,
  user_id: string,
  purpose: LinkPurpose,
  since: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const lockMailbox = (trx: Database, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${mailboxOf(email)}`}, 0))`.execute(
    trx,
  )

/** Counts the links emailed to a mailbox for all users. Locks the count until the transaction ends. */
export async function countTo(trx: Transaction, purpose: LinkPurpose, email: string, since: Date) {
  await lockMailbox(trx, email)
  const { count } = await trx
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .where(sql.raw(mailboxSql(`data ->> 'email'`)), '=', mailboxOf(email))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const removeAll = async (trx: Transaction, user_id: string): Promise<void> => {
  await trx.deleteFrom('links').where('user_id', '=', user_id).execute()
}

export const deleteExpiredBefore = (db: Database, end: Date) =>
  db.deleteFrom('links').where('expires_at', '<', end).execute()
