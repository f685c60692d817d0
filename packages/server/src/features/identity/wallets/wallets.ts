import { randomBytes } from 'node:crypto'
import { bindUseCases } from '../../../platform/bind.ts'
import { recoverSigner } from '../../../platform/crypto/ethereum.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { type Principal, personNeeded } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts, Revocation } from '../accounts/accounts.ts'
import * as wallets from './repository.ts'
import * as rules from './rules.ts'

type Deps = { db: Database; accounts: Accounts; audit: Audit; now: () => Date; webUrl: string }
type WalletSignature = {
  signature: string
  source: string
  eth_address?: string | undefined
  message?: string | undefined
}

export type Wallets = ReturnType<typeof createWallets>

/** Ethereum addresses that users connected. An unproven address authorizes nothing. */
export function createWallets(deps: Deps) {
  const { accounts } = deps
  accounts.whenDisowned(removeAll)
  accounts.beforeDeletion(removeAll)
  accounts.whenRevoked(revokeWallets)
  return bindUseCases(deps, { listWallets, issueChallenge, connectWallet, removeWallet })
}

const listWallets = ({ db }: Deps, user_id: string) => wallets.findOfUser(db, user_id)

/** Returns the message whose signature proves the address. A new one voids the one before. */
async function issueChallenge(
  { db, accounts, now, webUrl }: Deps,
  caller: Principal,
  text: string,
) {
  const { user_id } = caller
  const eth_address = rules.readAddress(text)
  const issued_at = now()
  const expires_at = new Date(issued_at.getTime() + rules.challengeLastsMs)
  const nonce = randomBytes(16).toString('hex')
  const message = rules.challengeMessage({
    webUrl,
    eth_address,
    user_id,
    nonce,
    issued_at,
    expires_at,
  })
  await transact(db, async (trx) => {
    await accounts.loadCaller(trx, caller)
    const message_sha256 = sha256(message)
    await wallets.putChallenge(trx, { user_id, eth_address, message_sha256, expires_at })
  })
  return { message, eth_address, expires_at }
}

/** Returns the address that signed. It is proven if it signed a challenge. */
async function connectWallet(
  { db, accounts, now, audit, webUrl }: Deps,
  caller: Principal,
  { signature, source, eth_address: expected, message }: WalletSignature,
) {
  const { user_id } = caller
  if (message !== undefined) {
    if (caller.key) throw personNeeded()
    rules.assertOwnDomain(message, webUrl)
  }
  const signer = recoverSigner(message ?? rules.plainMessage(user_id), signature)
  if (!signer) throw rules.unreadableSignature()
  const eth_address = rules.readAddress(signer)
  rules.assertExpectedAddress(expected, eth_address)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const isProven = message !== undefined
    if (isProven) {
      const challenge = { user_id, eth_address, message_sha256: sha256(message) }
      const isOpen = await wallets.takeChallenge(trx, challenge, now())
      if (!isOpen) throw rules.closedChallenge()
    }
    const connected = await wallets.findOfUser(trx, user_id)
    const existing = connected.find((wallet) => wallet.eth_address === eth_address)
    if (existing && (existing.proven || !isProven)) return { eth_address }
    if (!existing) rules.assertRoomForOne(connected.length)
    // Notify first: the link removes wallets that are newer than itself.
    const sentence = rules.connectedSentence(eth_address, isProven)
    const about = { event: 'wallet' } as const
    await accounts.notifyOwner(trx, user, 'A wallet was connected', sentence, about)
    const created_at = now()
    if (existing) await wallets.prove(trx, user_id, eth_address, created_at)
    else await wallets.insert(trx, { user_id, eth_address, source, proven: isProven, created_at })
    const details = { eth_address, proven: isProven }
    await audit.writeEntry(trx, 'wallet.added', { actor_id: user_id, details })
    return { eth_address }
  })
}

/** Mint signatures for the wallet stay valid until they expire. */
async function removeWallet({ db, accounts, audit }: Deps, caller: Principal, named: string) {
  const { user_id } = caller
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const eth_address = rules.ownAddress(await wallets.findOfUser(trx, user_id), named)
    await wallets.remove(trx, user_id, eth_address)
    await audit.writeEntry(trx, 'wallet.removed', { actor_id: user_id, details: { eth_address } })
    const sentence = rules.disconnectedSentence(eth_address)
    await accounts.notifyAccount(trx, user, 'A wallet was disconnected', sentence, '/account/keys')
    return { eth_address }
  })
}

const removeAll = (trx: Transaction, user_id: string) => wallets.removeOfUser(trx, user_id)

const revokeWallets = (trx: Transaction, user_id: string, { since }: Revocation) =>
  wallets.removeOfUser(trx, user_id, since ?? undefined)
