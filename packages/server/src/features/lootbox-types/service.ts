import { randomInt } from 'node:crypto'
import { createBreather } from '../../platform/breathe.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import * as types from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxTypeView, NewLootboxType } from './schema.ts'
import type { LootboxType } from './table.ts'

export type LootboxTypes = ReturnType<typeof createLootboxTypes>

const shownAtMost = 200

/** What boxes are drawn by, and how likely what is. */
export function createLootboxTypes(options: { db: Database; audit: Audit; now: () => Date }) {
  const { db, audit, now } = options

  const make = (trx: Transaction, { name, description, config, price_in_cents }: NewLootboxType) =>
    types.insert(trx, {
      ...{ name: name.trim(), description, config: JSON.stringify(config) },
      ...{ price_in_cents: price_in_cents ?? null, created_at: now(), exhausted_at: null },
    })
  const findAll = async (from: Database | Transaction, ids: readonly string[]) => {
    const found = ids.length === 0 ? [] : await types.findAll(from, [...new Set(ids)])
    return new Map<string, LootboxType>(found.map((type) => [type.id, type]))
  }

  return {
    make,
    findAll,

    async load(id: string): Promise<LootboxType> {
      const type = (await findAll(db, [id])).get(id)
      if (!type) throw new rules.UnknownTypeError()
      return type
    },

    /** Whoever else draws by this type waits; nothing when nobody draws by it any more. */
    async findToDraw(trx: Transaction, id: string): Promise<LootboxType | undefined> {
      const type = await types.findToDraw(trx, id)
      return type?.exhausted_at === null ? type : undefined
    },

    /** No more boxes are drawn by a type. */
    async close(trx: Transaction, actor_id: string, id: string): Promise<void> {
      await types.setExhausted(trx, id, now())
      const details = { lootbox_type_id: id }
      await audit.note(trx, 'lootbox_type.exhausted', { actor_id, details })
    },

    list: async (): Promise<LootboxTypeView[]> =>
      (await types.findNewest(db, shownAtMost)).map(rules.showType),

    async create({ user_id: actor_id }: Principal, body: NewLootboxType) {
      rules.assertSound(body.config)
      const breathe = createBreather()
      // Looking for ids of rare scores takes its time: others have their turn in between.
      for (const range of rules.rangesOf(body.config)) {
        await breathe()
        rules.assertFindable(body.config, range, (below) => randomInt(below))
      }
      return transact(db, async (trx) => {
        const type = await make(trx, body)
        const details = { lootbox_type_id: type.id, name: type.name, reason: body.reason }
        await audit.note(trx, 'lootbox_type.created', { actor_id, details })
        return rules.showType(type)
      })
    },
  }
}
