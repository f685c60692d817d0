import { parseEmojiId } from '@emojid/core'
import type { EmojiIds } from '../features/directory/emoji-ids/index.ts'
import type { Store } from '../features/directory/store/index.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

const id = parseEmojiId('🎸🎸🎸')

/** An id of the demonstration that is minted: its token has the number 1. */
export const tokensSeed = (emojiIds: EmojiIds): DemoSeed<Tables> => ({
  name: 'tokens',
  async write(trx) {
    const minted = { minted: true, signed_until: null }
    await emojiIds.setToken(trx, id, minted)
  },
})

/** What its owner wants to be drawn, so that markets have a picture of it. */
export const tokenPictureSeed = (emojiIds: EmojiIds, store: Store): DemoSeed<Tables> => ({
  name: 'token picture',
  async write(trx) {
    // In an older demonstration it may be gone.
    if (!(await emojiIds.findIdToChange(trx, id))) return
    await store.putStoreEntry(trx, id, 'VisualizerData', { theme: 'night' })
  },
})
