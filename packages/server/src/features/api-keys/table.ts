import type { Generated, Selectable } from 'kysely'
import type { Scope } from '../access/index.ts'

export type ApiKeysTable = {
  id: string
  user_id: string
  name: string
  scopes: Scope[]
  token_sha256: Buffer
  with_second_factor: boolean
  /** Its maker had a second factor since, and took it off. */
  outlived_second_factor: Generated<boolean>
  created_at: Date
  expires_at: Date | null
  deleted_at: Date | null
}
export type ApiKey = Selectable<ApiKeysTable>
