import type { Scope } from '../access/index.ts'

export type ApiKeysTable = {
  id: string
  user_id: string
  name: string
  scopes: Scope[]
  token_sha256: Buffer
  with_second_factor: boolean
  created_at: Date
  expires_at: Date | null
  deleted_at: Date | null
}
