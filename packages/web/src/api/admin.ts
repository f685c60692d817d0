import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { accountQuery, isAdmin } from './account.ts'
import { api, unwrap } from './client.ts'
import { omitEmpty } from './omit-empty.ts'
import { Problem } from './problem.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'
import { wholeOrders } from './shop.ts'

export const orderStates = ['Draft', 'PendingPayment', 'Paid', 'Cancelled'] as const
export const requestStates = ['open', 'handled'] as const

export type AdminOrder = AnswerOf<'getOrder'>

type OrderQuestion = {
  page: number
  limit?: number
  q?: string | undefined
  status?: (typeof orderStates)[number] | undefined
  refund_request?: (typeof requestStates)[number] | undefined
  from?: string | undefined
  to?: string | undefined
  user_id?: string | undefined
  emoji_id?: string | undefined
}

/** Every account has an empty cart; only the filter for carts includes those. */
export const orderFilters = (question: Omit<OrderQuestion, 'page' | 'limit'>) => ({
  ...(question.status === undefined ? { filled: true } : {}),
  ...omitEmpty(question),
})

export const orderPageQuery = (question: OrderQuestion) =>
  queryOptions({
    queryKey: ['admin-orders', 'page', question],
    queryFn: async () => {
      const { page: nth, limit = 50, ...filters } = question
      const query = { page: nth, limit, ...orderFilters(filters) }
      const [page, account] = await Promise.all([
        unwrap(api.GET('/orders', { params: { query } })),
        queries.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ])
      // Without the role, the API answers with the caller's own orders.
      if (!isAdmin(account)) throw new Problem(403, {})
      return wholeOrders(page)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export type Organization = AnswerOf<'showOrganization'>
export type ListedOrganization = AnswerOf<'listOrganizations'>['data'][number]

type Membership = Pick<
  AnswerOf<'listMembers'>[number],
  'role' | 'accepted_at' | 'owner_accepted_at'
>

/** Whether the person accepted the membership, and the role of owner. */
export const isAccepted = ({ role, accepted_at, owner_accepted_at }: Membership): boolean =>
  (role === 'OrgOwner' ? owner_accepted_at : accepted_at) !== null

type OrganizationQuestion = { page: number; q: string | undefined }

export const organizationPageQuery = ({ page, q }: OrganizationQuestion) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'page', page, q],
    queryFn: () =>
      unwrap(
        api.GET('/admin/organizations', {
          params: { query: { page, limit: 50, ...(q ? { q } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'one', id],
    queryFn: () => unwrap(api.GET('/admin/organizations/{id}', { params: { path: { id } } })),
  })

/** The partner pages and the account in this tab show organizations, too. */
export async function refetchOrganizations(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['admin', 'organizations'] }),
    queries.invalidateQueries({ queryKey: ['branding'] }),
    queries.invalidateQueries({ queryKey: ['own-organizations'] }),
  ])
}

/** Resolves an email address or id to one account id. */
export async function findUser(text: string, unknown: string): Promise<string> {
  const search = text.trim().toLowerCase()
  const params = { query: { q: search, limit: 200 } }
  const { data } = await unwrap(api.GET('/users', { params }))
  const user = data.find(({ id, email }) => id === search || email?.toLowerCase() === search)
  if (user) return user.id
  throw new Problem(404, {
    error: unknown,
    code: 'unknown_user',
    fields: { user: [{ code: 'unknown_user', message: unknown }] },
  })
}

export type Application = AnswerOf<'showOauthClient'>

export const refetchApplications = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'applications'] })

export type LootboxType = AnswerOf<'createLootBoxType'>

export const lootboxTypesQuery = queryOptions({
  queryKey: ['admin', 'lootbox-types'],
  queryFn: () => unwrap(api.GET('/lootbox_type')),
})

export const refetchLootboxes = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'lootboxes'] })
export const refetchLootboxTypes = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'lootbox-types'] })

export type PriceVersion = AnswerOf<'listPrices'>[number]

/** All price tables, newest first. */
export const pricesQuery = queryOptions({
  queryKey: ['admin', 'prices'],
  queryFn: () => unwrap(api.GET('/admin/prices')),
  // New prices must start from the current table.
  staleTime: 0,
})
