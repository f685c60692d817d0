import { type EmojiId, parseEmojiId } from '@emojid/core'
import { expect, it } from 'vitest'
import { createReader } from './id.ts'

type Owner = { title: string; address: string }

const id = parseEmojiId('🔥🐍')
const anna: Owner = { title: 'Anna', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
const bob: Owner = { title: 'Bob', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }

/** Features with one owner; the id changes its owner while the store is read. */
function changingHands(times: number) {
  let owner = anna
  let rest = times
  const features = {
    emojiIds: { findId: async (_id: EmojiId) => ({ display_format: id }) },
    records: {
      async proveRecords(_id: EmojiId) {
        const records = [{ tag: '0x1003', data: owner.address }]
        const body = Buffer.from(JSON.stringify({ records, changed_at: null }))
        return { body, etag: `${owner.title} ${rest}` }
      },
      findChangeTime: async (_id: EmojiId) => undefined,
    },
    store: {
      stampStore: async () => `${owner.title} ${rest}`,
      async readStore(_id: EmojiId) {
        if (rest > 0) {
          rest--
          owner = owner === anna ? bob : anna
        }
        return [{ title: owner.title }]
      },
    },
  }
  return createReader(features as unknown as Parameters<typeof createReader>[0]).readId
}

it.each([1, 2, 3])(
  'the page of an id shows the name and the addresses of one owner after %i concurrent changes',
  async (times) => {
    const { profile, ways } = (await changingHands(times)(id)).view
    const owner = times % 2 === 1 ? bob : anna
    expect({ title: profile.title, address: ways[0]?.address }).toEqual(owner)
  },
)

it('the page of an id fails if the id changes on every read, and never shows mixed data', async () => {
  await expect(changingHands(1_000)(id)).rejects.toThrow('is being changed right now')
})
