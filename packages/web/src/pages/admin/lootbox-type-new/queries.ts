import { type LootboxType, refetchLootboxTypes } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import type { BodyOf } from '../../../api/shapes.ts'

export type NewLootboxType = BodyOf<'createLootBoxType'>

export async function createLootboxType(body: NewLootboxType): Promise<LootboxType> {
  const type = await unwrap(api.POST('/lootbox_type', { body }))
  await refetchLootboxTypes()
  return type
}
