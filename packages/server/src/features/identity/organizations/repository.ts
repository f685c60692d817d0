import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import { lowerText } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { MemberRole } from '../../operations/access/index.ts'
import type { OrganizationQuery } from './schema.ts'

type Db = Kysely<Tables>

/** Returns undefined if the partner path is taken. */
export const insert = (trx: Transaction, organization: Insertable<Tables['organizations']>) =>
  trx
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Db, id: string) =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()

export const findToChange = (trx: Transaction, id: string) =>
  trx.selectFrom('organizations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findByPath = (db: Db, partner_path: string) =>
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

export const findOfUser = (db: Db, user_id: string) =>
  db
    .selectFrom('organizations')
    .innerJoin('organization_members as member', 'member.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select('member.role')
    .where('member.user_id', '=', user_id)
    .orderBy('name')
    .orderBy('organizations.id')
    .execute()

export const findMembers = (db: Db, organization_id: string) =>
  db
    .selectFrom('organization_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.user_id', 'users.email', 'member.role', 'member.created_at'])
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
export const findActiveMembers = (db: Kysely<Tables>, organization_id: string) =>
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
      conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role: member.role }),
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

/** Oldest first. */
export const findChangesSince = (trx: Transaction, organization_id: string, since: Date) =>
  trx
    .selectFrom('organization_member_changes')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('changed_at', '>=', since)
    .orderBy('id')
    .execute()

export const removeUser = (trx: Transaction, user_id: string) =>
  trx
    .deleteFrom('organization_members')
    .where('user_id', '=', user_id)
    .returning(['organization_id', 'role'])
    .execute()
