import type { Generated } from 'kysely'

export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  /** Its owner named it beside the signature; else it is whatever the signature leads to. */
  proven: Generated<boolean>
  created_at: Date
}
