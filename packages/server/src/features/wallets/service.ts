import { checkAddress } from '@emojid/core'
import { recoverSigner } from '../../platform/crypto/ethereum.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import * as wallets from './repository.ts'
import * as rules from './rules.ts'
import type { WalletBody } from './schema.ts'

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

    /** Answers the address that signed. */
    async connect({ user_id }: Principal, { signature, source, eth_address: named }: WalletBody) {
      const signer = recoverSigner(rules.walletMessage(user_id), signature)
      if (!signer) throw new rules.WrongSignatureError()
      const eth_address = checkAddress('ETH', signer).address
      rules.assertNamed(named, eth_address)
      return transact(db, async (trx) => {
        await accounts.loadToChange(trx, user_id)
        const connected = await wallets.findOfUser(trx, user_id)
        if (connected.some((wallet) => wallet.eth_address === eth_address)) return { eth_address }
        if (connected.length >= rules.walletsAtMost) throw new rules.TooManyWalletsError()
        await wallets.insert(trx, { user_id, eth_address, source, created_at: now() })
        await audit.note(trx, 'wallet.added', { actor_id: user_id, details: { eth_address } })
        return { eth_address }
      })
    },
  }
}
