import { sql } from 'kysely'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { TokenQuery } from './routes.ts'

/** The latest mint signature of an account for an id. */
export type MintSignaturesTable = {
  emoji_id: string
  account: string
  signed_by: string
  signed_at: Date
  until: Date
}

/** Accounts other than this one that may mint the id now. */
export async function countOthers(
  trx: Transaction,
  { emoji_id, account }: Pick<MintSignaturesTable, 'emoji_id' | 'account'>,
  at: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom('mint_signatures')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('emoji_id', '=', emoji_id)
    .where('account', '!=', account)
    .where('until', '>', at)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Removes expired signatures. A shorter signature does not replace a longer one of the same
 * account.
 */
export async function note(trx: Transaction, signature: MintSignaturesTable): Promise<void> {
  const { emoji_id, signed_at, signed_by } = signature
  await trx
    .deleteFrom('mint_signatures')
    .where('emoji_id', '=', emoji_id)
    .where('until', '<=', signed_at)
    .execute()
  await trx
    .insertInto('mint_signatures')
    .values(signature)
    .onConflict((conflict) =>
      conflict.columns(['emoji_id', 'account']).doUpdateSet(({ fn, ref }) => ({
        signed_at,
        signed_by,
        until: fn<Date>('greatest', [ref('mint_signatures.until'), ref('excluded.until')]),
      })),
    )
    .execute()
}

/**
 * Whether one of these people proved the account or had a signature issued to it; without an
 * account, whether one of them had any signature issued.
 */
export async function isAccountOf(
  trx: Transaction,
  { emoji_id, account }: { emoji_id: string; account: string | undefined },
  people: readonly string[],
): Promise<boolean> {
  const isOneOf = sql<string>`any (${people}::uuid[])`
  const signature = await trx
    .selectFrom('mint_signatures')
    .select('account')
    .where('emoji_id', '=', emoji_id)
    .where('signed_by', '=', isOneOf)
    .$if(account !== undefined, (rows) => rows.where('account', '=', account ?? ''))
    .executeTakeFirst()
  if (signature || account === undefined) return signature !== undefined
  const wallet = await trx
    .selectFrom('wallets')
    .select('eth_address')
    .where('user_id', '=', isOneOf)
    .where('proven', '=', true)
    .where('eth_address', '=', account)
    .executeTakeFirst()
  return wallet !== undefined
}

/** A page of ids that may be minted or are, and their total. */
export async function findPage(db: Database, query: TokenQuery, at: Date) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const matchingQuery = inState(db, query.state, at)
  const [rows, { total }] = await Promise.all([
    matchingQuery
      .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
      .leftJoin('users as user', 'user.id', 'key.user_id')
      .leftJoin('organizations as organization', 'organization.id', 'key.organization_id')
      .select(['id.emoji_id', 'id.display_format', 'id.token_id', 'id.minted', 'id.signed_until'])
      .select('id.token_account')
      .select(['key.user_id', 'key.organization_id', 'user.email', 'user.alternate_id'])
      .select('organization.name as organization_name')
      .orderBy(`id.${query.sort}`, direction)
      .orderBy('id.emoji_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    matchingQuery.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

function inState(db: Database, state: TokenQuery['state'], at: Date) {
  const tokens = db.selectFrom('emoji_ids as id').where('id.token_id', 'is not', null)
  if (state === 'minted') return tokens.where('id.minted', '=', true)
  if (state === 'signed') return tokens.where('id.signed_until', '>', at)
  if (state === 'ended')
    return tokens.where('id.minted', '=', false).where('id.signed_until', '<=', at)
  return tokens
}

export const findOf = async (db: Database, emoji_ids: readonly string[]) =>
  emoji_ids.length === 0
    ? []
    : db
        .selectFrom('mint_signatures as one')
        .leftJoin('users as user', 'user.id', 'one.signed_by')
        .select(['one.emoji_id', 'one.account', 'one.signed_by', 'one.signed_at', 'one.until'])
        .select(['user.email', 'user.alternate_id'])
        .where('one.emoji_id', 'in', emoji_ids)
        .orderBy('one.until', 'desc')
        .orderBy('one.account')
        .execute()
