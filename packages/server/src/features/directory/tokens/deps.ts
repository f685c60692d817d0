import type { EthereumSigner } from '../../../platform/crypto/ethereum.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type * as owning from '../emoji-ids/index.ts'
import type { Store } from '../store/index.ts'
import type { Transfers } from '../transfers/index.ts'

/** A check of other features before an id may be minted; it refuses by throwing. */
export type SigningGuard = (trx: Transaction, ownedId: owning.OwnedId) => Promise<void>

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: owning.EmojiIds
  store: Store
  transfers: Transfers
  audit: Audit
  now: () => Date
  signer: EthereumSigner
  webUrl: string
}

export type Deps = Options & { beforeSigned: SigningGuard[] }
