import type { Generated, Selectable } from 'kysely'
import type { Scope } from '../../operations/access/schema.ts'

export type ApiKeysTable = {
  id: string
  user_id: string
  name: string
  scopes: Scope[]
  token_sha256: Buffer
  with_second_factor: boolean
  /** The owner removed a second factor after the key was created. */
  outlived_second_factor: Generated<boolean>
  created_at: Date
  expires_at: Date | null
  deleted_at: Date | null
  /** To the minute. */
  last_used_at: Generated<Date | null>
  last_used_network: Generated<string | null>
  last_used_agent: Generated<string | null>
}
export type ApiKey = Selectable<ApiKeysTable>
