import type { Generated } from 'kysely'

/** An application in which people log in with an emoji id. */
export type OauthClientsTable = {
  id: string
  organization_id: string
  name: string
  logo: string | null
  redirect_uris: string[]
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** Secrets of applications; only hashes are kept. */
export type OauthSecretsTable = {
  id: Generated<string>
  client_id: string
  secret_sha256: Buffer
  created_at: Date
}
