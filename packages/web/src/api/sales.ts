import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { given } from './given.ts'

export type Sale =
  operations['listOrders']['responses'][200]['content']['application/json']['data'][number]

/** What is about to be bought is no sale yet. */
export const saleStatuses = ['Paid', 'Cancelled'] as const

const powerRoles: readonly string[] = ['OrgController', 'OrgOwner']

/** The organizations whose sales an account may see. */
export const sellersOf = (account: { organization_roles: Record<string, string> } | undefined) =>
  Object.entries(account?.organization_roles ?? {})
    .filter(([, role]) => powerRoles.includes(role))
    .map(([id]) => id)

export const ownOrganizationsQuery = queryOptions({
  queryKey: ['own-organizations'],
  queryFn: () => told(api.GET('/organizations')),
})

type Question = {
  organization_id: string
  page: number
  status: (typeof saleStatuses)[number] | undefined
  q: string | undefined
  from: string | undefined
  to: string | undefined
}

export const salesQuery = (question: Question) =>
  queryOptions({
    queryKey: ['sales', question],
    queryFn: () =>
      // Operators would see carts, too.
      told(
        api.GET('/orders', { params: { query: { limit: 20, placed: true, ...given(question) } } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
