/** The branding of an organization on partner pages. */
export type BrandingsTable = {
  organization_id: string
  /** The address that partner pages return to; used unchanged. */
  return_link: string
  currencies: string[]
  requires_email: boolean
  logo: string | null
  logo_small: string | null
  logo_thumbnail: string | null
  created_at: Date
  updated_at: Date
}
