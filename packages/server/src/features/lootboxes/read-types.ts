import type { Database } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import type { LootboxType } from './repository.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxTypeView } from './schema.ts'

const shownAtMost = 200

export async function findTypes(from: Database, ids: readonly string[]) {
  const types = ids.length === 0 ? [] : await boxes.findTypes(from, [...new Set(ids)])
  return new Map<string, LootboxType>(types.map((type) => [type.id, type]))
}

export async function loadType({ db }: Deps, id: string): Promise<LootboxType> {
  const type = (await findTypes(db, [id])).get(id)
  if (!type) throw rules.unknownLootboxType()
  return type
}

export const listTypes = async ({ db }: Deps): Promise<LootboxTypeView[]> =>
  (await boxes.findNewestTypes(db, shownAtMost)).map(rules.showType)
