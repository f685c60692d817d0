import type { Generated } from 'kysely'

export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  /** The client sent the address with the signature. */
  proven: Generated<boolean>
  created_at: Date
}
