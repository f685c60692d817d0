import type { Generated, Insertable, Selectable } from 'kysely'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { GlobalRole, Provider } from '../../operations/access/access.ts'

/** A user's consent that an application sees one emoji id. */
export type OauthGrantsTable = {
  id: Generated<string>
  client_id: string
  user_id: string
  emoji_id: string
  /** The redirect address of the code. Null in older grants. */
  redirect_uri: string | null
  epoch: number
  created_at: Date
  last_used_at: Date
  expires_at: Date
  ended_at: Date | null
}

/** The pseudonym of an account at one application. */
export type OauthSubjectsTable = {
  client_id: string
  user_id: string
  subject: Generated<string>
}

/** An authorization code and its grant. */
export type OauthCodesTable = {
  id: string
  client_id: string
  user_id: string
  epoch: number
  expires_at: Date
  used_at: Date | null
  grant_id: string | null
}

/** The refresh tokens of a grant. Stores only hashes. */
export type OauthTokensTable = {
  token_sha256: Buffer
  grant_id: string
  created_at: Date
  expires_at: Date
  rotated_at: Date | null
}

export type Grant = Selectable<Tables['oauth_grants']>

export const insertCode = (trx: Transaction, code: Insertable<Tables['oauth_codes']>) =>
  trx.insertInto('oauth_codes').values(code).execute()

/** The stable pseudonym of a user for one application. */
export const subjectOf = async (db: Database, client_id: string, user_id: string) => {
  const { subject } = await db
    .insertInto('oauth_subjects')
    .values({ client_id, user_id })
    .onConflict((conflict) => conflict.columns(['client_id', 'user_id']).doUpdateSet({ client_id }))
    .returning('subject')
    .executeTakeFirstOrThrow()
  return subject
}

export const removeSubjects = (trx: Transaction, user_id: string) =>
  trx.deleteFrom('oauth_subjects').where('user_id', '=', user_id).execute()

/** Concurrent exchanges of one code wait for each other. */
export const findCode = (trx: Transaction, id: string) =>
  trx.selectFrom('oauth_codes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const useCode = (trx: Transaction, id: string, grant_id: string, at: Date) =>
  trx.updateTable('oauth_codes').set({ used_at: at, grant_id }).where('id', '=', id).execute()

/** Voids unused codes. */
export const voidCodes = (trx: Transaction, user_id: string, client_id?: string) => {
  const all = trx
    .deleteFrom('oauth_codes')
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
  return (
    client_id === undefined ? all : all.where('client_id', '=', client_id)
  ).executeTakeFirstOrThrow()
}

export const insertGrant = (trx: Transaction, grant: Insertable<Tables['oauth_grants']>) =>
  trx.insertInto('oauth_grants').values(grant).returningAll().executeTakeFirstOrThrow()

export const insertToken = (trx: Transaction, token: Insertable<Tables['oauth_tokens']>) =>
  trx
    .insertInto('oauth_tokens')
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Locks the token and its grant. */
export const findToken = (trx: Transaction, token_sha256: Buffer) =>
  trx
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_grants as grant', 'grant.id', 'token.grant_id')
    .selectAll('grant')
    .select(['token.expires_at as token_expires_at', 'token.rotated_at'])
    .where('token.token_sha256', '=', token_sha256)
    .forUpdate(['token', 'grant'])
    .executeTakeFirst()

/** Retires a token, stores its successor, and records the use of the grant. */
export const rotate = (
  trx: Transaction,
  { token_sha256, at }: { token_sha256: Buffer; at: Date },
  successor: Insertable<Tables['oauth_tokens']>,
) =>
  trx
    .with('retired', (db) =>
      db
        .updateTable('oauth_tokens')
        .set({ rotated_at: at })
        .where('token_sha256', '=', token_sha256),
    )
    .with('touched', (db) =>
      db.updateTable('oauth_grants').set({ last_used_at: at }).where('id', '=', successor.grant_id),
    )
    .insertInto('oauth_tokens')
    .values(successor)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** A token of an application has one use: it is rotated. */
export async function isRotated(trx: Transaction, token_sha256: Buffer): Promise<boolean> {
  const rotatedToken = await trx
    .selectFrom('oauth_tokens')
    .select('grant_id')
    .where('token_sha256', '=', token_sha256)
    .where('rotated_at', 'is not', null)
    .executeTakeFirst()
  return rotatedToken !== undefined
}

/** Ends one grant of this application. */
export const end = (trx: Transaction, id: string, client_id: string, at: Date) =>
  trx
    .updateTable('oauth_grants')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('client_id', '=', client_id)
    .where('ended_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()

/** Ends all grants of a user, or those for one application. */
export const endOf = (trx: Transaction, user_id: string, at: Date, client_id?: string) => {
  const all = trx
    .updateTable('oauth_grants')
    .set({ ended_at: at })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
  return (client_id === undefined ? all : all.where('client_id', '=', client_id))
    .returning('id')
    .execute()
}

const findOpen = (db: Database, user_id: string, at: Date) =>
  db
    .selectFrom('oauth_grants as grant')
    .innerJoin('oauth_clients as client', 'client.id', 'grant.client_id')
    .innerJoin('users', 'users.id', 'grant.user_id')
    .where('grant.user_id', '=', user_id)
    .where('grant.ended_at', 'is', null)
    .where('grant.expires_at', '>', at)
    .where('client.deleted_at', 'is', null)
    .whereRef('grant.epoch', '=', 'users.epoch')

/** One row for each application and id: every sign-in at an application makes a grant. */
export const findApplications = (db: Database, user_id: string, at: Date) =>
  findOpen(db, user_id, at)
    .select(['client.id as client_id', 'client.name', 'client.logo', 'grant.emoji_id'])
    .select(({ fn }) => [
      fn.min('grant.created_at').as('created_at'),
      fn.max('grant.last_used_at').as('last_used_at'),
    ])
    .groupBy(['client.id', 'grant.emoji_id'])
    .orderBy('last_used_at', 'desc')
    .execute()

export const findSame = (
  db: Database,
  { user_id, ...grant }: Pick<Grant, 'user_id' | 'client_id' | 'emoji_id' | 'redirect_uri'>,
  at: Date,
) =>
  findOpen(db, user_id, at)
    .select('grant.id')
    .where('grant.client_id', '=', grant.client_id)
    .where('grant.emoji_id', '=', grant.emoji_id)
    .where('grant.redirect_uri', '=', grant.redirect_uri)
    .limit(1)
    .executeTakeFirst()

export const removeBefore = async (db: Database, end: Date): Promise<void> => {
  await db.deleteFrom('oauth_codes').where('expires_at', '<', end).execute()
  await db.deleteFrom('oauth_tokens').where('expires_at', '<', end).execute()
  await db
    .deleteFrom('oauth_grants')
    .where(({ or, eb }) => or([eb('expires_at', '<', end), eb('ended_at', '<', end)]))
    .execute()
}

/** One statement for everything about a grant: every request with its access token runs it. */
type GrantHolder = {
  user_id: string
  client_id: string
  emoji_id: string
  epoch: number
  role: GlobalRole
  provider: Provider | null
}

export const findGrant = (prepare: Prepare) =>
  prepare<GrantHolder>(
    'find-grant',
    `select g.user_id, g.client_id, g.emoji_id, g.epoch, u.role, u.two_factor_auth[1] as provider
     from oauth_grants g join users u on u.id = g.user_id
       join oauth_clients c on c.id = g.client_id
       left join emoji_ids e on e.emoji_id = g.emoji_id
     where g.id = $1::uuid and g.ended_at is null and g.expires_at > $2::timestamptz
       and g.epoch = u.epoch and u.deactivated_at is null and c.deleted_at is null
       and e.suspended_at is null`,
  )
