import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** Cards that the payment provider keeps for somebody. */
export const cardsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: () => unwrap(api.GET('/payment_methods')),
  staleTime: 0,
})

export type Card = {
  id: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  is_default?: boolean
}

/** It is good until the end of the month. */
export const isExpired = ({ exp_month, exp_year }: Card): boolean =>
  Boolean(exp_month && exp_year && new Date(exp_year, exp_month) <= new Date())
