import { bindUseCases } from '../../../platform/bind.ts'
import { connectWallet } from './connect-wallet.ts'
import type { Deps } from './deps.ts'
import { listWallets } from './list-wallets.ts'
import { removeWallet, removeWallets, revokeWallets } from './remove-wallet.ts'

export type Wallets = ReturnType<typeof createWallets>

/** Ethereum addresses that users connected. An unproven address authorizes nothing. */
export function createWallets(deps: Deps) {
  const { accounts } = deps
  accounts.whenDisowned(removeWallets)
  accounts.beforeDeletion(removeWallets)
  accounts.whenRevoked(revokeWallets)

  return bindUseCases(deps, {
    listWallets,
    connectWallet,
    removeWallet,
  })
}
