import { useSearch } from '@tanstack/react-router'
import { readNext } from '../sign-in/address.ts'

/** What the address of the page says: about which id it is, or where to go on. */
type PartnerSearch = { id?: string; next?: string }

export function readPartner({ id, ...more }: Record<string, unknown>): PartnerSearch {
  const next = readNext(more['next'])
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(next ? { next } : {}),
  }
}

/** Routes hand on what nobody checked, too: whoever uses the address asks here. */
export const usePartnerSearch = (): PartnerSearch => readPartner(useSearch({ strict: false }))
