import type { EthereumSigner } from '../../../platform/crypto/ethereum.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Store } from '../store/store.ts'
import type { Transfers } from '../transfers/transfers.ts'

/** A check of other features before an id may be minted; it refuses by throwing. */
export type SigningGuard = (trx: Transaction, ownedId: OwnedId) => Promise<void>

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  store: Store
  transfers: Transfers
  audit: Audit
  now: () => Date
  signer: EthereumSigner
  webUrl: string
}

export type Deps = Options & { beforeSigned: SigningGuard[] }
