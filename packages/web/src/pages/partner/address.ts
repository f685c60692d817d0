import { useSearch } from '@tanstack/react-router'
import { readNext } from '../sign-in/address.ts'

/** The URL parameters of the page: its id, or the next step. */
type PartnerSearch = { id?: string; next?: string }

export function readPartner({ id, ...more }: Record<string, unknown>): PartnerSearch {
  const next = readNext(more['next'])
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(next ? { next } : {}),
  }
}

/** Routes also pass unvalidated parameters, so every reader validates them here. */
export const usePartnerSearch = (): PartnerSearch => readPartner(useSearch({ strict: false }))
