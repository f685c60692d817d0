import { read } from './addresses.ts'

/** Pages of the operator; empty if they are not configured. */
export const siteLinks = {
  terms: read('terms-url'),
  privacy: read('privacy-url'),
  imprint: read('imprint-url'),
  support: read('support-url'),
}

/** The seller on printed invoices. */
export const seller = { name: read('company-name'), taxId: read('company-tax-id') }
