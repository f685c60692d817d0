import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The cards that the payment provider saved for the account. */
export const cardsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: () => unwrap(api.GET('/payment_methods')),
  staleTime: 0,
})

export type SavedCard = {
  id: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  is_default?: boolean
}

/** A card is valid until the end of its month. */
export const isExpired = ({ exp_month, exp_year }: SavedCard): boolean =>
  Boolean(exp_month && exp_year && new Date(exp_year, exp_month) <= new Date())
