/** The latest mint signature of an account for an id. */
export type MintSignaturesTable = {
  emoji_id: string
  account: string
  signed_by: string
  signed_at: Date
  until: Date
}
