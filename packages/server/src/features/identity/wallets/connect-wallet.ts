import { checkAddress } from '@emojid/core'
import { recoverSigner } from '../../../platform/crypto/ethereum.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as wallets from './repository.ts'
import * as rules from './rules.ts'
import type { WalletBody } from './schema.ts'

/** Returns the address that signed. */
export async function connectWallet(
  { db, accounts, now, audit }: Deps,
  caller: Principal,
  { signature, source, eth_address: named }: WalletBody,
) {
  const { user_id } = caller
  const signer = recoverSigner(rules.walletMessage(user_id), signature)
  if (!signer) throw rules.wrongSignature()
  const eth_address = checkAddress('ETH', signer).address
  rules.assertNamed(named, eth_address)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const connected = await wallets.findOfUser(trx, user_id)
    const proven = typeof named === 'string'
    const there = connected.find((wallet) => wallet.eth_address === eth_address)
    if (there && (there.proven || !proven)) return { eth_address }
    if (!there && connected.length >= rules.walletsAtMost) {
      throw rules.tooManyWallets()
    }
    // The notice comes first, because its link removes wallets that are newer than itself.
    const sentence = rules.connectedSentence(eth_address, proven)
    const told = { told: 'wallet' } as const
    await accounts.notifyOwner(trx, user, 'A wallet was connected', sentence, told)
    const created_at = now()
    if (there) await wallets.prove(trx, user_id, eth_address, created_at)
    else await wallets.insert(trx, { user_id, eth_address, source, proven, created_at })
    const details = { eth_address, proven }
    await audit.writeEntry(trx, 'wallet.added', { actor_id: user_id, details })
    return { eth_address }
  })
}
