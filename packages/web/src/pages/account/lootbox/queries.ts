import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'
import type { Lootbox } from '../../../api/shop.ts'

export type LootboxType = NonNullable<Lootbox['lootbox_type']>

export type LootboxProof = AnswerOf<'proveLootBox'>

export const lootboxQuery = (id: string) =>
  queryOptions({
    queryKey: ['lootboxes', 'one', id],
    queryFn: () => unwrap(api.GET('/lootboxes/{id}', { params: { path: { id } } })),
  })

/** The published proof, which grows when the box is opened. */
export const lootboxProofQuery = (id: string, status: Lootbox['status']) =>
  queryOptions({
    queryKey: ['lootboxes', 'proof', id, status],
    queryFn: () => unwrap(api.GET('/lootboxes/{id}/proof', { params: { path: { id } } })),
  })

export const openLootbox = (id: string) =>
  unwrap(api.POST('/lootboxes/{id}/open', { params: { path: { id } } }))
