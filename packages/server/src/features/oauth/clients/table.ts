import type { Generated } from 'kysely'

/** An application that users sign in to with an emoji id. */
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

/** Secrets of applications. Stores only hashes. */
export type OauthSecretsTable = {
  id: Generated<string>
  client_id: string
  secret_sha256: Buffer
  created_at: Date
}
