import type { Lootboxes } from '../features/lootboxes/lootboxes.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

/** A lootbox type on sale. */
export const lootboxSeed = (lootboxes: Lootboxes): DemoSeed<Tables> => ({
  name: 'lootboxes',
  async write(trx) {
    await lootboxes.insertType(trx, {
      name: 'Starter box',
      description: 'Five ids of three to five emojis, one of them of a score of 40 or more.',
      config: {
        size: 5,
        min_length: 3,
        max_length: 5,
        min_base_score: 1,
        max_base_score: 39,
        guarantees: [{ count: 1, min_score: 40, max_score: 60 }],
        weights: [
          { ipr: 10, min_score: 40, max_score: 60 },
          { ipr: 100, min_score: 61, max_score: 75 },
        ],
      },
      price_in_cents: 4_900,
    })
  },
})
