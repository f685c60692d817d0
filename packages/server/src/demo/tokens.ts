import { parseEmojiId } from '@emojid/core'
import type { EmojiIds } from '../features/directory/emoji-ids/emoji-ids.ts'
import type { Store } from '../features/directory/store/store.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

const id = parseEmojiId('🎸🎸🎸')

/** A minted id of the demonstration with token number 1. */
export const tokensSeed = (emojiIds: EmojiIds): DemoSeed<Tables> => ({
  name: 'tokens',
  async write(trx) {
    const mintedState = { minted: true, signed_until: null }
    await emojiIds.setToken(trx, id, mintedState)
  },
})

/** The owner's choice of a drawing, so that marketplaces show a picture. */
export const tokenPictureSeed = (emojiIds: EmojiIds, store: Store): DemoSeed<Tables> => ({
  name: 'token picture',
  async write(trx) {
    // It may have been released in an older demonstration.
    if (!(await emojiIds.findIdToChange(trx, id))) return
    await store.putStoreEntry(trx, id, 'VisualizerData', { theme: 'night' })
  },
})
