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
  if (!signer) throw rules.unreadableSignature()
  const eth_address = checkAddress('ETH', signer).address
  rules.assertExpectedAddress(named, eth_address)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const connected = await wallets.findOfUser(trx, user_id)
    const isProven = typeof named === 'string'
    const existing = connected.find((wallet) => wallet.eth_address === eth_address)
    if (existing && (existing.proven || !isProven)) return { eth_address }
    if (!existing && connected.length >= rules.walletsAtMost) {
      throw rules.tooManyWallets()
    }
    // Notify first: the link removes wallets that are newer than itself.
    const sentence = rules.connectedSentence(eth_address, isProven)
    const about = { told: 'wallet' } as const
    await accounts.notifyOwner(trx, user, 'A wallet was connected', sentence, about)
    const created_at = now()
    if (existing) await wallets.prove(trx, user_id, eth_address, created_at)
    else await wallets.insert(trx, { user_id, eth_address, source, proven: isProven, created_at })
    const details = { eth_address, proven: isProven }
    await audit.writeEntry(trx, 'wallet.added', { actor_id: user_id, details })
    return { eth_address }
  })
}
