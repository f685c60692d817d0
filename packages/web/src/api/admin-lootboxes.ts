import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { queries } from './queries.ts'

export type LootboxType =
  operations['createLootBoxType']['responses'][200]['content']['application/json']
export type NewLootboxType =
  operations['createLootBoxType']['requestBody']['content']['application/json']
export type Lootbox = operations['showLootBox']['responses'][200]['content']['application/json']
type NewLootbox = operations['createLootBox']['requestBody']['content']['application/json']
type LootboxChange = NonNullable<
  operations['updateLootBox']['requestBody']
>['content']['application/json']

export const boxStatuses = ['Draft', 'Available', 'Owned', 'Used'] as const

type Question = {
  page: number
  q: string | undefined
  status: (typeof boxStatuses)[number] | undefined
  type: string | undefined
}

export const lootboxTypesQuery = queryOptions({
  queryKey: ['admin', 'lootbox-types'],
  queryFn: () => told(api.GET('/lootbox_type')),
})

export const lootboxPageQuery = ({ page, q, status, type }: Question) =>
  queryOptions({
    queryKey: ['admin', 'lootboxes', 'page', page, q, status, type],
    queryFn: () => {
      const filters = {
        ...(q ? { q } : {}),
        ...(status ? { status } : {}),
        ...(type ? { lootbox_type_id: type } : {}),
      }
      return told(api.GET('/lootboxes', { params: { query: { page, limit: 50, ...filters } } }))
    },
    placeholderData: keepPreviousData,
  })

export const lootboxQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'lootboxes', 'one', id],
    queryFn: () => told(api.GET('/lootboxes/{id}', { params: { path: { id } } })),
  })

const again = () => queries.invalidateQueries({ queryKey: ['admin', 'lootboxes'] })
const typesAgain = () => queries.invalidateQueries({ queryKey: ['admin', 'lootbox-types'] })

export async function createLootboxType(body: NewLootboxType): Promise<LootboxType> {
  const made = await told(api.POST('/lootbox_type', { body }))
  await typesAgain()
  return made
}

export async function createLootbox(body: NewLootbox): Promise<Lootbox> {
  const made = await told(api.POST('/lootboxes', { body }))
  await again()
  return made
}

export async function changeLootbox(id: string, body: LootboxChange): Promise<Lootbox> {
  const changed = await told(api.PATCH('/lootboxes/{id}', { params: { path: { id } }, body }))
  await again()
  return changed
}

export async function deleteLootbox(id: string, reason: string): Promise<void> {
  await told(api.DELETE('/lootboxes/{id}', { params: { path: { id }, query: { reason } } }))
  // Not this one, which is still shown for a moment.
  await queries.invalidateQueries({ queryKey: ['admin', 'lootboxes', 'page'] })
}

/** As many ids as one request may draw. */
const idsAtOnce = 500
const boxesAtOnce = 100

/**
 * Draws boxes until there are as many as wanted, or no more come. One request takes a few seconds
 * at most, so that many are asked for one after the other.
 */
export async function drawLootboxes(
  { id, config: { size } }: LootboxType,
  { wanted, reason }: { wanted: number; reason: string },
  onProgress: (made: number) => void,
): Promise<number> {
  const mostAtOnce = Math.min(boxesAtOnce, Math.floor(idsAtOnce / size))
  let made = 0
  try {
    while (made < wanted) {
      const num_boxes = Math.min(wanted - made, mostAtOnce)
      const body = { loot_box_type_id: id, num_boxes, reason }
      const { loot_boxes } = await told(api.POST('/lootbox_type/generate', { body }))
      if (loot_boxes.length === 0) break
      made += loot_boxes.length
      onProgress(made)
    }
  } finally {
    await Promise.all([again(), typesAgain()])
  }
  return made
}
