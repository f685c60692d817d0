import type { Generated } from 'kysely'

export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  /** The wallet signed a challenge for this account. */
  proven: Generated<boolean>
  created_at: Date
}

/** The message that an account may have signed next; one per account, and used once. */
export type WalletChallengesTable = {
  user_id: string
  eth_address: string
  message_sha256: Buffer
  expires_at: Date
}
