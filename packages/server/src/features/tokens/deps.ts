import type { EthereumSigner } from '../../platform/crypto/ethereum.ts'
import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type * as owning from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { Store } from '../store/index.ts'
import type { Transfers } from '../transfers/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: owning.EmojiIds
  store: Store
  transfers: Transfers
  ledger: Ledger
  audit: Audit
  now: () => Date
  /** How long ids are not minted after a card paid for them. */
  mintAfterCardMs: number
  signer: EthereumSigner
  webUrl: string
}
