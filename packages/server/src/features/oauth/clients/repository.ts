import { type Generated, type Insertable, sql, type Updateable } from 'kysely'
import { lowerText } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { ClientQuery } from './routes.ts'

/** An application that users sign in to with an emoji id. */
export type OauthClientsTable = {
  id: string
  organization_id: string
  name: string
  logo: string | null
  redirect_uris: string[]
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** Secrets of applications. Stores only hashes. */
export type OauthSecretsTable = {
  id: Generated<string>
  client_id: string
  secret_sha256: Buffer
  created_at: Date
}

/** Returns undefined if the id is taken. */
export const insert = (trx: Transaction, client: Insertable<Tables['oauth_clients']>) =>
  trx
    .insertInto('oauth_clients')
    .values(client)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Database, id: string) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findToChange = (trx: Transaction, id: string) =>
  trx
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const update = (trx: Transaction, id: string, change: Updateable<Tables['oauth_clients']>) =>
  trx
    .updateTable('oauth_clients')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const findPage = (db: Database, query: ClientQuery) => {
  const text = query.q?.trim() ?? ''
  const { organization_id } = query
  let matchingQuery = db.selectFrom('oauth_clients').where('deleted_at', 'is', null)
  if (organization_id) matchingQuery = matchingQuery.where('organization_id', '=', organization_id)
  if (text !== '') matchingQuery = matchingQuery.where(mentions(text))
  return readPage(db, matchingQuery, query)
}

/** A table scan: there are few applications. */
const mentions = (text: string) =>
  sql<boolean>`strpos(lower(concat_ws(' ', id, name)), ${lowerText(text)}) > 0`

export async function countOf(trx: Transaction, organization_id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('oauth_clients')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const findOrganizations = (db: Database, ids: readonly string[]) =>
  db.selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute()

export const findSecrets = (db: Database, client_ids: readonly string[]) =>
  db
    .selectFrom('oauth_secrets')
    .selectAll()
    .where('client_id', 'in', client_ids)
    .orderBy('created_at')
    .execute()

export const insertSecret = (trx: Transaction, secret: Insertable<Tables['oauth_secrets']>) =>
  trx.insertInto('oauth_secrets').values(secret).execute()

export const removeSecret = (trx: Transaction, id: string) =>
  trx.deleteFrom('oauth_secrets').where('id', '=', id).execute()

export const removeSecrets = (trx: Transaction, client_id: string) =>
  trx.deleteFrom('oauth_secrets').where('client_id', '=', client_id).execute()
