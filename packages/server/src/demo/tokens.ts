import { parseEmojiId } from '@emojid/core'
import type { EmojiIds } from '../features/emoji-ids/index.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

/** An id of the demonstration that is minted: its token has the number 1. */
export const tokensSeed = (emojiIds: EmojiIds): DemoSeed<Tables> => ({
  name: 'tokens',
  async write(trx) {
    const minted = { minted: true, signed_until: null }
    await emojiIds.setToken(trx, parseEmojiId('🎸🎸🎸'), minted)
  },
})
