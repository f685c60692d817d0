/** A key pair that may own ids: of a user or of an organization. */
export type KeysTable = {
  pubkey: string
  user_id: string | null
  organization_id: string | null
  /** Null if only the owner has the private key. */
  sealed_private_key: string | null
  /** When the owner proved to have the private key. */
  proven_at: Date | null
  created_at: Date
}
