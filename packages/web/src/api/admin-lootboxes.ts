import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type LootboxType = AnswerOf<'createLootBoxType'>
export type Lootbox = AnswerOf<'showLootBox'>

export const lootboxTypesQuery = queryOptions({
  queryKey: ['admin', 'lootbox-types'],
  queryFn: () => unwrap(api.GET('/lootbox_type')),
})

export const refetchLootboxes = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'lootboxes'] })
export const refetchLootboxTypes = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'lootbox-types'] })
