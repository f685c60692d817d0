import type { Generated, Insertable } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  /** The wallet signed a challenge for this account. */
  proven: Generated<boolean>
  created_at: Date
}

/** The message that an account may have signed next; one per account, and used once. */
export type WalletChallengesTable = {
  user_id: string
  eth_address: string
  message_sha256: Buffer
  expires_at: Date
}

export const insert = (trx: Transaction, wallet: Insertable<Tables['wallets']>) =>
  trx.insertInto('wallets').values(wallet).execute()

export const findOfUser = (db: Database, user_id: string) =>
  db
    .selectFrom('wallets')
    .select(['eth_address', 'user_id', 'proven'])
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .execute()

export const prove = (trx: Transaction, user_id: string, eth_address: string, created_at: Date) =>
  trx
    .updateTable('wallets')
    .set({ proven: true, created_at })
    .where('user_id', '=', user_id)
    .where('eth_address', '=', eth_address)
    .execute()

export const remove = (trx: Transaction, user_id: string, eth_address: string) =>
  trx
    .deleteFrom('wallets')
    .where('user_id', '=', user_id)
    .where('eth_address', '=', eth_address)
    .execute()

/** Also removes the challenge. */
export async function removeOfUser(trx: Transaction, user_id: string, since = new Date(0)) {
  await trx.deleteFrom('wallet_challenges').where('user_id', '=', user_id).execute()
  await trx
    .deleteFrom('wallets')
    .where('user_id', '=', user_id)
    .where('created_at', '>=', since)
    .execute()
}

/** Replaces an earlier challenge of the account. */
export const putChallenge = (trx: Transaction, challenge: WalletChallengesTable) =>
  trx
    .insertInto('wallet_challenges')
    .values(challenge)
    .onConflict((conflict) => {
      const { user_id: _, ...rest } = challenge
      return conflict.column('user_id').doUpdateSet(rest)
    })
    .execute()

/** Uses the challenge up; returns false if it is not open for this message and address. */
export async function takeChallenge(
  trx: Transaction,
  { user_id, eth_address, message_sha256 }: Omit<WalletChallengesTable, 'expires_at'>,
  at: Date,
): Promise<boolean> {
  const taken = await trx
    .deleteFrom('wallet_challenges')
    .where('user_id', '=', user_id)
    .where('eth_address', '=', eth_address)
    .where('message_sha256', '=', message_sha256)
    .where('expires_at', '>', at)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
