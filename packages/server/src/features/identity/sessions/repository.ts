import { type Generated, type Insertable, type Selectable, sql } from 'kysely'
import { nestRows, reviveTimes } from '../../../platform/database/nested-rows.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { GlobalRole, MemberRole, Provider } from '../../operations/access/access.ts'

/** A client of the API, or a browser at one of our sites. */
export type SessionKind = 'device' | SiteName
export type SiteName = 'authorization' | 'web'

/** One sign-in on one device. */
export type SessionsTable = {
  id: Generated<string>
  kind: Generated<SessionKind>
  user_id: string
  /** The session that this one continues and ends with. */
  parent_id: string | null
  linked_at: Date | null
  /** For the session that began with the first emailed link of its account: the revoked epoch. */
  claimed_epoch: number | null
  /** The last authentication; a refresh does not count. */
  logged_in_at: Date
  epoch: number
  user_agent: string | null
  created_at: Date
  last_used_at: Date
  expires_at: Date
  ended_at: Date | null
  /** The session still owes a code. */
  second_factor_due: Generated<boolean>
  second_factor_at: Date | null
}

/** The refresh tokens of a session, rotated on use. Stores only hashes. */
export type RefreshTokensTable = {
  token_sha256: Buffer
  session_id: string
  created_at: Date
  expires_at: Date
  rotated_at: Date | null
  /** The first use. It ends the grace time of the token before. */
  used_at: Generated<Date | null>
}

type NewToken = Insertable<Tables['refresh_tokens']>

/**
 * Inserts a session with its first token. Also returns how many sessions the account had before, and
 * whether none of them was of this browser. Versions do not count: browsers update themselves. Reads
 * the newest sessions only: a program may sign in for every request.
 */
export const insert = (
  trx: Transaction,
  session: Insertable<Tables['sessions']>,
  token: NewToken,
) =>
  trx
    .with('token', (db) =>
      db
        .insertInto('refresh_tokens')
        .values(token)
        .onConflict((conflict) => conflict.doNothing()),
    )
    // It does not see the new session: all parts of a statement read the state before it.
    .with(
      'before',
      () => sql<{ count: number; is_other_browser: boolean }>`(
        select count(*)::int as count,
          coalesce(bool_and(regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g')
            <> regexp_replace(${session.user_agent ?? ''}, '[0-9._]+', '', 'g')), false)
            as is_other_browser
        from (select user_agent from sessions where user_id = ${session.user_id}
          order by created_at desc limit 200) newest)`,
    )
    .insertInto('sessions')
    .values(session)
    .returningAll()
    .returning(({ selectFrom }) => [
      selectFrom('before').select('count').$asScalar().$notNull().as('count_before'),
      selectFrom('before').select('is_other_browser').$asScalar().$notNull().as('is_new_browser'),
    ])
    .executeTakeFirstOrThrow()

/** Locks the session. */
export const findToChange = (trx: Transaction, id: string) =>
  trx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const find = (trx: Transaction, id: string) =>
  trx.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

/** The first session at our sites of the chain that this one continues. A device is no part of it. */
export async function findFirstAtSites(trx: Transaction, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain (id, parent_id, depth) as (
      select id, parent_id, 0 from sessions where id = ${id}
      union all
      select parent.id, parent.parent_id, chain.depth + 1
      from sessions parent join chain on chain.parent_id = parent.id
      where parent.kind <> 'device')
    select id from chain order by depth desc limit 1`.execute(trx)
  return rows[0]?.id ?? id
}

export const findOwner = (trx: Transaction, token_sha256: Buffer) =>
  trx
    .selectFrom('refresh_tokens as token')
    .innerJoin('sessions as session', 'session.id', 'token.session_id')
    .select('session.user_id')
    .where('token.token_sha256', '=', token_sha256)
    .executeTakeFirst()

/**
 * Locks the token and its session. The user is not locked: after a wait, a revocation meanwhile is
 * missing. It has raised the epoch that every token has to match.
 */
export async function findToken(trx: Transaction, token_sha256: Buffer) {
  const row = await trx
    .selectFrom('refresh_tokens as token')
    .innerJoin('sessions as session', 'session.id', 'token.session_id')
    .select([
      'token.expires_at as token_expires_at',
      'token.rotated_at',
      'token.used_at',
      'session.id',
      'session.kind',
      'session.parent_id',
      'session.user_id',
      'session.epoch',
      'session.expires_at',
      'session.ended_at',
      'session.last_used_at',
      'session.linked_at',
      'session.claimed_epoch',
      'session.user_agent',
      'session.logged_in_at',
      'session.second_factor_due',
      'session.second_factor_at',
    ])
    .select(({ selectFrom }) =>
      nestRows(
        selectFrom('users').selectAll('users').whereRef('users.id', '=', 'session.user_id'),
      ).as('users'),
    )
    .where('token.token_sha256', '=', token_sha256)
    .forUpdate(['token', 'session'])
    .executeTakeFirst()
  if (!row) return undefined
  const { users, ...session } = row
  reviveTimes(users)
  return { session, user: users[0] }
}

/** Retires a token, stores its successor, and records the use of the session. */
export const rotate = (
  trx: Transaction,
  { token_sha256, at }: { token_sha256: Buffer; at: Date },
  successor: NewToken,
) =>
  trx
    .with('retired', (db) =>
      db
        .updateTable('refresh_tokens')
        .set({ rotated_at: at, used_at: sql`coalesce(used_at, ${at})` })
        .where('token_sha256', '=', token_sha256),
    )
    .with('touched', (db) =>
      db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', successor.session_id),
    )
    .insertInto('refresh_tokens')
    .values(successor)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const markTokenUsed = (trx: Transaction, token_sha256: Buffer, at: Date) =>
  trx
    .updateTable('refresh_tokens')
    .set({ used_at: at })
    .where('token_sha256', '=', token_sha256)
    .execute()

export async function isTokenUsed(trx: Transaction, token_sha256: Buffer): Promise<boolean> {
  const usedToken = await trx
    .selectFrom('refresh_tokens')
    .select('session_id')
    .where('token_sha256', '=', token_sha256)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return usedToken !== undefined
}

export const touch = (trx: Transaction, id: string, at: Date) =>
  trx.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute()

export const end = (db: Database, user_id: string, id: string, at: Date) =>
  db
    .withRecursive('chain', (cte) =>
      cte
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .union((union) =>
          union
            .selectFrom('sessions')
            .innerJoin('chain', 'chain.id', 'sessions.parent_id')
            .select('sessions.id'),
        ),
    )
    .updateTable('sessions')
    .set({ ended_at: at })
    // Also ends all sessions that continue it, directly or through others.
    .where('id', 'in', ({ selectFrom }) => selectFrom('chain').select('id'))
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Whether there was one that had not expired. */
export async function endOthers(
  trx: Transaction,
  user_id: string,
  current: string | null,
  at: Date,
): Promise<boolean> {
  const ended = await trx
    .updateTable('sessions')
    .set({ ended_at: at })
    .where('user_id', '=', user_id)
    .where('id', 'is distinct from', current)
    .where('ended_at', 'is', null)
    .returning('expires_at')
    .execute()
  return ended.some(({ expires_at }) => expires_at > at)
}

/**
 * Ends the open sessions beyond the limit, except the newest one. The use of a session counts for all
 * that it continues, so a session never ends before one that continues it.
 */
export async function endSurplus(
  trx: Transaction,
  newest: Selectable<Tables['sessions']>,
  keptAtMost: number,
  at: Date,
): Promise<number> {
  const { rows } = await sql`
    with recursive uses (id, parent_id, created_at, used_at) as (
      select id, parent_id, created_at, last_used_at from sessions
      where user_id = ${newest.user_id} and epoch = ${newest.epoch} and ended_at is null
        and expires_at > ${at}
      union
      select parent.id, parent.parent_id, parent.created_at, uses.used_at
      from sessions parent join uses on uses.parent_id = parent.id
      where parent.ended_at is null)
    update sessions set ended_at = ${at} where id in (
      select id from uses group by id, created_at
      order by id = ${newest.id} desc, max(used_at) desc, created_at
      offset ${keptAtMost})
    returning id`.execute(trx)
  return rows.length
}

export const settle = (trx: Transaction, id: string, at: Date) =>
  trx
    .updateTable('sessions')
    .set({ second_factor_due: false, second_factor_at: at })
    .where('id', '=', id)
    .execute()

export const renewLogin = (trx: Transaction, id: string, at: Date) =>
  trx.updateTable('sessions').set({ logged_in_at: at }).where('id', '=', id).execute()

/** All other sessions owe a code from now on. */
export const demoteOthers = (trx: Transaction, user_id: string, current: string) =>
  trx
    .updateTable('sessions')
    .set({ second_factor_due: true })
    .where('user_id', '=', user_id)
    .where('id', '!=', current)
    .execute()

/** Ends sessions that never entered their code: they are not authenticated. */
export const endPending = (trx: Transaction, user_id: string, at: Date) =>
  trx
    .updateTable('sessions')
    .set({ ended_at: at })
    .where('user_id', '=', user_id)
    .where('second_factor_due', '=', true)
    .where('ended_at', 'is', null)
    .execute()

/** A code does not count for another second factor. */
export const clearCodes = (trx: Transaction, user_id: string) =>
  trx
    .updateTable('sessions')
    .set({ second_factor_at: null })
    .where('user_id', '=', user_id)
    .execute()

export const removeAll = async (trx: Transaction, user_id: string): Promise<void> => {
  await trx.deleteFrom('sessions').where('user_id', '=', user_id).execute()
}

export const findOpen = (db: Database, user_id: string, at: Date, limit: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .whereRef('sessions.epoch', '=', 'users.epoch')
    .orderBy('last_used_at', 'desc')
    .limit(limit)
    .execute()

export const deleteBefore = async (db: Database, end: Date) => {
  await db.deleteFrom('refresh_tokens').where('expires_at', '<', end).execute()
  await db
    .deleteFrom('sessions')
    .where(({ or, eb }) => or([eb('expires_at', '<', end), eb('ended_at', '<', end)]))
    .execute()
}

type Caller = {
  role: GlobalRole
  epoch: number
  is_active: boolean
  session_open: boolean
  linked_at: Date | null
  logged_in_at: Date | null
  provider: Provider | null
  second_factor_due: boolean | null
  second_factor_at: Date | null
  memberships: Record<string, MemberRole>
}

/** One statement for everything about the holder of an access token: every request runs it. */
export const findCaller = (prepare: Prepare) =>
  prepare<Caller>(
    'find-caller',
    `select u.role, u.epoch, u.deactivated_at is null as is_active,
       s.id is not null and s.ended_at is null and s.epoch = u.epoch
         and s.expires_at > $3::timestamptz as session_open, s.linked_at, s.logged_in_at,
       u.two_factor_auth[1] as provider, s.second_factor_due, s.second_factor_at,
       coalesce((select json_object_agg(m.organization_id, m.role)
         from organization_members m where m.user_id = u.id), '{}') as memberships
     from users u left join sessions s on s.id = $2::uuid and s.user_id = u.id
     where u.id = $1::uuid`,
  )
