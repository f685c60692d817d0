import { checkAddress } from '@emojid/core'
import { recoverSigner } from '../../platform/crypto/ethereum.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import * as wallets from './repository.ts'
import * as rules from './rules.ts'
import type { WalletBody } from './schema.ts'

export type Wallets = ReturnType<typeof createWallets>

type Options = { db: Database; accounts: Accounts; audit: Audit; now: () => Date }

/** Ethereum addresses that users connected. An unproven address authorizes nothing. */
export function createWallets({ db, accounts, audit, now }: Options) {
  const drop = async (trx: Transaction, user_id: string) =>
    void (await wallets.removeOfUser(trx, user_id))
  accounts.whenDisowned(drop)
  accounts.beforeDeletion(drop)
  accounts.whenRevoked(async (trx, user_id, { since }) => {
    await wallets.removeOfUser(trx, user_id, since ?? undefined)
  })

  return {
    list: (user_id: string) => wallets.findOfUser(db, user_id),

    /** Answers the address that signed. */
    async connect({ user_id }: Principal, { signature, source, eth_address: named }: WalletBody) {
      const signer = recoverSigner(rules.walletMessage(user_id), signature)
      if (!signer) throw new rules.WrongSignatureError()
      const eth_address = checkAddress('ETH', signer).address
      rules.assertNamed(named, eth_address)
      return transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, user_id)
        const connected = await wallets.findOfUser(trx, user_id)
        const proven = typeof named === 'string'
        const there = connected.find((wallet) => wallet.eth_address === eth_address)
        if (there && (there.proven || !proven)) return { eth_address }
        if (!there && connected.length >= rules.walletsAtMost) {
          throw new rules.TooManyWalletsError()
        }
        // First the notice: its link removes what came since.
        const sentence = rules.connectedSentence(eth_address, proven)
        const told = { told: 'wallet' } as const
        await accounts.tellToOwner(trx, user, 'A wallet was connected', sentence, told)
        const created_at = now()
        if (there) await wallets.prove(trx, user_id, eth_address, created_at)
        else await wallets.insert(trx, { user_id, eth_address, source, proven, created_at })
        const details = { eth_address, proven }
        await audit.note(trx, 'wallet.added', { actor_id: user_id, details })
        return { eth_address }
      })
    },

    /** Nothing here hangs on a wallet: signatures that were given for it stay good until they end. */
    async remove({ user_id }: Principal, named: string) {
      return transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, user_id)
        const eth_address = rules.ownAddress(await wallets.findOfUser(trx, user_id), named)
        await wallets.remove(trx, user_id, eth_address)
        await audit.note(trx, 'wallet.removed', { actor_id: user_id, details: { eth_address } })
        const sentence = `The Ethereum address ${eth_address} is not connected to your account any more.`
        await accounts.tell(trx, user, 'A wallet was disconnected', sentence)
        return { eth_address }
      })
    },
  }
}
