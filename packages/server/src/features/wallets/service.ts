import { checkAddress } from '@emojid/core'
import { recoverSigner } from '../../platform/crypto/ethereum.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import * as wallets from './repository.ts'
import { WrongSignatureError, walletMessage } from './rules.ts'

export type Wallets = ReturnType<typeof createWallets>

type Options = { db: Database; accounts: Accounts; audit: Audit; now: () => Date }

/** Ethereum addresses that users showed to be theirs. */
export function createWallets({ db, accounts, audit, now }: Options) {
  const drop = async (...[trx, user_id]: Parameters<typeof wallets.removeOfUser>) =>
    void (await wallets.removeOfUser(trx, user_id))
  accounts.whenDisowned(drop)
  accounts.beforeDeletion(drop)

  return {
    list: (user_id: string) => wallets.findOfUser(db, user_id),

    async connect({ user_id }: Principal, signature: string, source: string): Promise<void> {
      const signer = recoverSigner(walletMessage(user_id), signature)
      if (!signer) throw new WrongSignatureError()
      const eth_address = checkAddress('ETH', signer).address
      await transact(db, async (trx) => {
        await wallets.put(trx, { user_id, eth_address, source, created_at: now() })
        await audit.note(trx, 'wallet.added', { actor_id: user_id, details: { eth_address } })
      })
    },
  }
}
