/** The last signature with which an account may mint an id. */
export type MintSignaturesTable = {
  emoji_id: string
  account: string
  signed_by: string
  signed_at: Date
  until: Date
}
