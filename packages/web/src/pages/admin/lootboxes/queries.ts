import type { lootboxStatuses } from '@emojid/core'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type LootboxType, refetchLootboxes, refetchLootboxTypes } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { BodyOf } from '../../../api/shapes.ts'
import type { Lootbox } from '../../../api/shop.ts'

type NewLootbox = BodyOf<'createLootBox'>

type Question = {
  q: string | undefined
  status: (typeof lootboxStatuses)[number] | undefined
  type: string | undefined
}

export const lootboxFilters = ({ q, status, type }: Question) =>
  omitEmpty({ q, status, lootbox_type_id: type })

export const lootboxPageQuery = (page: number, question: Question) =>
  queryOptions({
    queryKey: ['admin', 'lootboxes', 'page', page, question],
    queryFn: () => {
      const query = { page, limit: 50, ...lootboxFilters(question) }
      return unwrap(api.GET('/lootboxes', { params: { query } }))
    },
    placeholderData: keepPreviousData,
  })

export async function createLootbox(body: NewLootbox): Promise<Lootbox> {
  const createdBoxes = await unwrap(api.POST('/lootboxes', { body }))
  await refetchLootboxes()
  return createdBoxes
}

/** The most ids that one request may draw. */
const idsAtOnce = 500

const boxesAtOnce = 100

/**
 * Draws boxes in batches until the wanted number is reached or the type is exhausted. A batch takes a
 * few seconds at most.
 */
export async function drawLootboxes(
  { id, config: { size } }: LootboxType,
  { total, reason }: { total: number; reason: string },
  onProgress: (created: number) => void,
): Promise<number> {
  const mostAtOnce = Math.min(boxesAtOnce, Math.floor(idsAtOnce / size))
  let createdCount = 0
  try {
    while (createdCount < total) {
      const num_boxes = Math.min(total - createdCount, mostAtOnce)
      const body = { loot_box_type_id: id, num_boxes, reason }
      const { loot_boxes } = await unwrap(api.POST('/lootbox_type/generate', { body }))
      if (loot_boxes.length === 0) break
      createdCount += loot_boxes.length
      onProgress(createdCount)
    }
  } finally {
    await Promise.all([refetchLootboxes(), refetchLootboxTypes()])
  }
  return createdCount
}
