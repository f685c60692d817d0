import type { Box, Lootboxes } from '../boxes/index.ts'

export type Options = { lootboxes: Lootboxes }

export type Deps = Options & {
  /** Whether the contents of a box can be recomputed from its seed. */
  verdictOn: (box: Box, seed: string, ids: readonly string[]) => Promise<boolean>
}
