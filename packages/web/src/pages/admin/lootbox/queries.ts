import { queryOptions } from '@tanstack/react-query'
import { refetchLootboxes } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import type { BodyOf } from '../../../api/shapes.ts'
import type { Lootbox } from '../../../api/shop.ts'

type LootboxChange = BodyOf<'updateLootBox'>

export const lootboxQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'lootboxes', 'one', id],
    queryFn: () => unwrap(api.GET('/lootboxes/{id}', { params: { path: { id } } })),
  })

export async function changeLootbox(id: string, body: LootboxChange): Promise<Lootbox> {
  const changedBox = await unwrap(api.PATCH('/lootboxes/{id}', { params: { path: { id } }, body }))
  await refetchLootboxes()
  return changedBox
}

export async function deleteLootbox(id: string, reason: string): Promise<void> {
  await unwrap(api.DELETE('/lootboxes/{id}', { params: { path: { id }, query: { reason } } }))
  // Not the deleted box, which is still shown for a moment.
  await queries.invalidateQueries({ queryKey: ['admin', 'lootboxes', 'page'] })
}
