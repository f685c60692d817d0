import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Revocation } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as wallets from './repository.ts'
import * as rules from './rules.ts'

export const removeWallets = async (trx: Transaction, user_id: string) =>
  void (await wallets.removeOfUser(trx, user_id))

export async function revokeWallets(
  trx: Transaction,
  user_id: string,
  { since }: Revocation,
): Promise<void> {
  await wallets.removeOfUser(trx, user_id, since ?? undefined)
}

/** Mint signatures for the wallet stay valid until they expire. */
export async function removeWallet(
  { db, accounts, audit }: Deps,
  caller: Principal,
  named: string,
) {
  const { user_id } = caller
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const eth_address = rules.ownAddress(await wallets.findOfUser(trx, user_id), named)
    await wallets.remove(trx, user_id, eth_address)
    await audit.writeEntry(trx, 'wallet.removed', { actor_id: user_id, details: { eth_address } })
    const sentence = `The Ethereum address ${eth_address} is no longer connected to your account.`
    await accounts.notifyAccount(trx, user, 'A wallet was disconnected', sentence, '/account/keys')
    return { eth_address }
  })
}
