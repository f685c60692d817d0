import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'

export type Lootbox = operations['showLootBox']['responses'][200]['content']['application/json']
export type LootboxType = NonNullable<Lootbox['lootbox_type']>
export type LootboxProof =
  operations['proveLootBox']['responses'][200]['content']['application/json']

/** What an owner can look for. */
export const ownStatuses = ['Owned', 'Used'] as const

type Question = {
  owner_id: string
  page: number
  status: (typeof ownStatuses)[number] | undefined
}

/** Operators say whose boxes they want, or they are shown everybody's. */
export const ownLootboxPageQuery = ({ owner_id, page, status }: Question) =>
  queryOptions({
    queryKey: ['lootboxes', 'own', owner_id, page, status],
    queryFn: () =>
      told(
        api.GET('/lootboxes', {
          params: { query: { owner_id, page, limit: 20, ...(status && { status }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Nothing where boxes are not sold. Operators see into boxes, so this is not for them. */
export const lootboxesForSaleQuery = (page: number) =>
  queryOptions({
    queryKey: ['lootboxes', 'for-sale', page],
    queryFn: () =>
      told(api.GET('/lootboxes', { params: { query: { status: 'Available', page, limit: 20 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const lootboxQuery = (id: string) =>
  queryOptions({
    queryKey: ['lootboxes', 'one', id],
    queryFn: () => told(api.GET('/lootboxes/{id}', { params: { path: { id } } })),
  })

/** What is published of a box depends on whether it is opened. */
export const lootboxProofQuery = (id: string, status: Lootbox['status']) =>
  queryOptions({
    queryKey: ['lootboxes', 'proof', id, status],
    queryFn: () => told(api.GET('/lootboxes/{id}/proof', { params: { path: { id } } })),
  })

export const openLootbox = (id: string) =>
  told(api.POST('/lootboxes/{id}/open', { params: { path: { id } } }))
