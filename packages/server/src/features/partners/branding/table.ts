/** What partner pages show of an organization. */
export type BrandingsTable = {
  organization_id: string
  /** Where its pages lead back to, byte for byte as it was agreed. */
  return_link: string
  currencies: string[]
  requires_email: boolean
  logo: string | null
  logo_small: string | null
  logo_thumbnail: string | null
  created_at: Date
  updated_at: Date
}
