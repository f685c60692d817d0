import type { Drawer } from '../../../platform/drawing/drawer.ts'
import type { createGallery } from '../../../platform/drawing/gallery.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Store } from '../store/index.ts'

export type Options = {
  db: Database
  drawer: Drawer
  emojiIds: EmojiIds
  store: Store
  now: () => Date
  baseUrl: string
}

export type Deps = Options & {
  /** Drawn cards, in memory. */
  cards: ReturnType<typeof createGallery<Buffer>>
}
