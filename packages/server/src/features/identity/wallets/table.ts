import type { Generated } from 'kysely'

export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  /**
   * The owner named the address beside the signature. Otherwise it was recovered from the signature
   * alone.
   */
  proven: Generated<boolean>
  created_at: Date
}
