/** A key pair that may own ids: of a user or of an organization. */
export type KeysTable = {
  pubkey: string
  user_id: string | null
  organization_id: string | null
  /** Absent when only its owner has it. */
  sealed_private_key: string | null
  /** When its owner showed that they have the private half. */
  proven_at: Date | null
  created_at: Date
}
