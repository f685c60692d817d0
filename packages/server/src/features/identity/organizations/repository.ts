import { type Generated, type GeneratedAlways, type Insertable, sql, type Updateable } from 'kysely'
import { lowerText } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { GlobalRole, MemberRole } from '../../operations/access/access.ts'
import type { OrganizationQuery } from './schema.ts'

export type OrganizationsTable = {
  id: Generated<string>
  name: string
  /** The short name in the URLs of its partner pages. */
  partner_path: string | null
  /** The fee on the price of ids that are bought through the organization. */
  client_fee_percent: Generated<number>
  created_at: Date
  updated_at: Date
}

/** A change that an emailed link can revert; a role is null for a non-member. */
export type OrganizationMemberChangesTable = {
  id: GeneratedAlways<string>
  organization_id: string
  user_id: string
  changed_by: string | null
  role_before: MemberRole | null
  role_after: MemberRole | null
  /** When the former membership and ownership were accepted. */
  accepted_at: Date | null
  owner_accepted_at: Date | null
  changed_at: Date
}

export type OrganizationMembersTable = {
  organization_id: string
  user_id: string
  role: MemberRole
  created_at: Date
  /** Null: an operator placed the member. The organization must not see who that is. */
  accepted_at: Date | null
  /** Null for an owner whom another member promoted. The person may always leave. */
  owner_accepted_at: Date | null
}

/** An invitation to a mailbox. Whether it has an account is unknown to the organization. */
export type OrganizationInvitationsTable = {
  id: Generated<string>
  organization_id: string
  email: string
  role: MemberRole
  invited_by: string
  created_at: Date
  expires_at: Date
  /** Accepted, declined, withdrawn, replaced or void. */
  ended_at: Date | null
  accepted_by: string | null
}

/** Returns undefined if the partner path is taken. */
export const insert = (trx: Transaction, organization: Insertable<Tables['organizations']>) =>
  trx
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Database, id: string) =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()

export const findToChange = (trx: Transaction, id: string) =>
  trx.selectFrom('organizations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findByPath = (db: Database, partner_path: string) =>
  db
    .selectFrom('organizations')
    .selectAll()
    .where('partner_path', '=', partner_path)
    .executeTakeFirst()

export const update = (trx: Transaction, id: string, change: Updateable<Tables['organizations']>) =>
  trx
    .updateTable('organizations')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export function findPage(db: Database, query: OrganizationQuery) {
  const text = query.q?.trim() ?? ''
  const all = db.selectFrom('organizations')
  return readPage(db, text === '' ? all : all.where(mentions(text)), query)
}

/** A table scan: there are few organizations. */
const mentions = (text: string) =>
  sql<boolean>`strpos(lower(concat_ws(' ', id, name, partner_path)), ${lowerText(text)}) > 0`

export const findOfUser = (db: Database, user_id: string) =>
  db
    .selectFrom('organizations')
    .innerJoin('organization_members as member', 'member.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select(['member.role', 'member.accepted_at', 'member.owner_accepted_at'])
    .where('member.user_id', '=', user_id)
    .orderBy('name')
    .orderBy('organizations.id')
    .execute()

export const findMembers = (db: Database, organization_id: string) =>
  db
    .selectFrom('organization_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.user_id', 'users.email', 'member.role', 'member.created_at'])
    .select(['member.accepted_at', 'member.owner_accepted_at'])
    .select('users.deactivated_at')
    .where('organization_id', '=', organization_id)
    .orderBy('member.created_at')
    .execute()

/** Locks the organizations of a member in one order, so that concurrent requests do not deadlock. */
export async function lockOfMember(trx: Transaction, user_id: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('organization_members')
        .select('organization_id')
        .where('user_id', '=', user_id),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Organizations where the user has one of the roles, with the other active accounts that have one. */
export async function findHeldWith(
  trx: Transaction,
  user_id: string,
  roles: readonly MemberRole[],
): Promise<{ organization_id: string; others: string[] }[]> {
  const { rows } = await sql<{ organization_id: string; others: string[] }>`
    select own.organization_id, array(
      select other.user_id::text from organization_members other
        join users on users.id = other.user_id
      where other.organization_id = own.organization_id and other.user_id <> own.user_id
        and other.role = any (${roles}::text[]) and users.deactivated_at is null) as others
    from organization_members own
    where own.user_id = ${user_id} and own.role = any (${roles}::text[])`.execute(trx)
  return rows
}

/** Organizations of a member in any role, with the active accounts that have one of these roles. */
export async function findActiveWith(
  trx: Transaction,
  user_id: string,
  roles: readonly MemberRole[],
): Promise<{ organization_id: string; writers: string[] }[]> {
  const { rows } = await sql<{ organization_id: string; writers: string[] }>`
    select own.organization_id, array(
      select writer.user_id::text from organization_members writer
        join users on users.id = writer.user_id
      where writer.organization_id = own.organization_id
        and writer.role = any (${roles}::text[]) and users.deactivated_at is null) as writers
    from organization_members own where own.user_id = ${user_id}`.execute(trx)
  return rows
}

/** Skips deactivated accounts. */
export const findActiveMembers = (db: Database, organization_id: string) =>
  db
    .selectFrom('organization_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.user_id', 'member.role'])
    .where('organization_id', '=', organization_id)
    .where('users.deactivated_at', 'is', null)
    .orderBy('member.created_at')
    .execute()

export const putMember = (trx: Transaction, member: Insertable<Tables['organization_members']>) =>
  trx
    .insertInto('organization_members')
    .values(member)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet(({ fn, ref }) => ({
        role: member.role,
        accepted_at: fn.coalesce(
          ref('organization_members.accepted_at'),
          ref('excluded.accepted_at'),
        ),
        owner_accepted_at: member.owner_accepted_at,
      })),
    )
    .execute()

export const removeMember = (trx: Transaction, organization_id: string, user_id: string) =>
  trx
    .deleteFrom('organization_members')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .returning('role')
    .executeTakeFirst()

export const insertChange = (
  trx: Transaction,
  change: Insertable<Tables['organization_member_changes']>,
) => trx.insertInto('organization_member_changes').values(change).execute()

export const deleteChangesBefore = (trx: Transaction, organization_id: string, end: Date) =>
  trx
    .deleteFrom('organization_member_changes')
    .where('organization_id', '=', organization_id)
    .where('changed_at', '<', end)
    .execute()

/**
 * Oldest first. Includes the latest change of the member before, which is the one that a notice of
 * this time names.
 */
export const findChangesSince = (
  trx: Transaction,
  organization_id: string,
  { at, member_id = null }: { at: Date; member_id?: string | null },
) =>
  trx
    .selectFrom('organization_member_changes')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where(
      sql<boolean>`(changed_at >= ${at} or id = (
        select max(id) from organization_member_changes
        where organization_id = ${organization_id} and user_id = ${member_id} and changed_at <= ${at}))`,
    )
    .orderBy('id')
    .execute()

export const removeUser = (trx: Transaction, user_id: string) =>
  trx
    .deleteFrom('organization_members')
    .where('user_id', '=', user_id)
    .returning(['organization_id', 'role'])
    .execute()

type Inviters = { global: readonly GlobalRole[]; member: readonly MemberRole[] }
type Valid = { at: Date; inviters: Inviters }

/** Open, and its author may still invite. */
const isValid = ({ at, inviters }: Valid) => sql<boolean>`
  invitation.ended_at is null and invitation.expires_at > ${at} and exists (
    select from users inviter where inviter.id = invitation.invited_by
      and inviter.deleted_at is null and inviter.deactivated_at is null
      and (inviter.role = any (${inviters.global}::text[]) or exists (
        select from organization_members member where member.user_id = inviter.id
          and member.organization_id = invitation.organization_id
          and member.role = any (${inviters.member}::text[]))))`

/** Whether the invitation was sent to the confirmed mailbox of the user. */
const isTo = (user_id: string) => sql<boolean>`
  lower(invitation.email) = (select lower(email) from users
    where id = ${user_id} and email_verified_at is not null)`

const shownOfInvitation = [
  'invitation.id',
  'invitation.role',
  'invitation.created_at',
  'invitation.expires_at',
] as const

export const insertInvitation = (
  trx: Transaction,
  invitation: Insertable<Tables['organization_invitations']>,
) =>
  trx
    .insertInto('organization_invitations')
    .values(invitation)
    .returning(['id', 'email', 'role', 'created_at', 'expires_at'])
    .executeTakeFirstOrThrow()

export async function countInvitations(
  trx: Transaction,
  { organization_id, email, since }: { organization_id: string; email: string; since: Date },
) {
  const isToMailbox = sql<boolean>`lower(email) = ${email.toLowerCase()}`
  const { all, toMailbox } = await trx
    .selectFrom('organization_invitations')
    .select(({ fn }) => [
      fn.countAll<string>().as('all'),
      fn.countAll<string>().filterWhere(isToMailbox).as('toMailbox'),
    ])
    .where('organization_id', '=', organization_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return { all: Number(all), toMailbox: Number(toMailbox) }
}

export const findInvitations = (db: Database, organization_id: string, valid: Valid) =>
  db
    .selectFrom('organization_invitations as invitation')
    .select([...shownOfInvitation, 'invitation.email'])
    .where('organization_id', '=', organization_id)
    .where(isValid(valid))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export async function findInvitationsOfUser(db: Database, user_id: string, valid: Valid) {
  const rows = await db
    .selectFrom('organization_invitations as invitation')
    .innerJoin('organizations', 'organizations.id', 'invitation.organization_id')
    .select([...shownOfInvitation, 'organization_id', 'organizations.name'])
    .where(isTo(user_id))
    .where(isValid(valid))
    .orderBy('invitation.created_at')
    .orderBy('invitation.id')
    .execute()
  return rows.map(({ organization_id, name, ...invitation }) => ({
    ...invitation,
    organization: { id: organization_id, name },
  }))
}

export const findInvitation = (trx: Transaction, id: string) =>
  trx
    .selectFrom('organization_invitations')
    .select(['organization_id', 'accepted_by'])
    .where('id', '=', id)
    .executeTakeFirst()

type Answer = Valid & { id: string; user_id: string }

/** Returns undefined if the invitation is not valid, or not to the mailbox of the user. */
export const answerInvitation = (
  trx: Transaction,
  { id, user_id, ...valid }: Answer,
  answer: 'accept' | 'decline',
) =>
  trx
    .updateTable('organization_invitations as invitation')
    .set({ ended_at: valid.at, accepted_by: answer === 'accept' ? user_id : null })
    .where('id', '=', id)
    .where(isTo(user_id))
    .where(isValid(valid))
    .returning(['role', 'invited_by'])
    .executeTakeFirst()

type Ended = {
  at: Date
  organization_id?: string
  id?: string
  email?: string
  invited_by?: string
}

/** Ends the open invitations with these members. */
export const endInvitations = (trx: Transaction, { at, email, ...named }: Ended) =>
  trx
    .updateTable('organization_invitations')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where(({ and, eb }) =>
      and([
        and(named),
        ...(email === undefined ? [] : [eb(sql`lower(email)`, '=', email.toLowerCase())]),
      ]),
    )
    .returning('id')
    .execute()

export const deleteInvitationsBefore = (db: Database, end: Date) =>
  db.deleteFrom('organization_invitations').where('created_at', '<', end).execute()

/** Deletes what names the mailbox or the account of a user. */
export const deleteInvitationsOf = (trx: Transaction, user_id: string) =>
  trx
    .deleteFrom('organization_invitations as invitation')
    .where(({ or, eb }) => or([eb('accepted_by', '=', user_id), isTo(user_id)]))
    .execute()
