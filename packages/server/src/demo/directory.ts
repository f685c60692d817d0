import { parseEmojiId, type RecordInput } from '@emojid/core'
import type { Edits } from '../features/directory/edits/edits.ts'
import type { EmojiIds } from '../features/directory/emoji-ids/emoji-ids.ts'
import type { Store } from '../features/directory/store/store.ts'
import type { Accounts } from '../features/identity/accounts/accounts.ts'
import type { Keys } from '../features/identity/keys/keys.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

type Features = { accounts: Accounts; keys: Keys; emojiIds: EmojiIds; edits: Edits; store: Store }

/** Ids with records of every kind, as data for every lookup. */
export const directorySeed = (features: Features, ownerEmail: string): DemoSeed<Tables> => ({
  name: 'directory',
  async write(trx) {
    const { accounts, keys, emojiIds, edits, store } = features
    const owner = await accounts.findByEmail(ownerEmail, trx)
    const [pubkey = null] = owner
      ? ((await keys.findPubkeys(trx, [owner.id])).get(owner.id) ?? [])
      : []
    for (const { text, inputs } of demoIds) {
      await emojiIds.registerId(trx, text, { pubkey })
      await edits.writeDemoRecords(trx, parseEmojiId(text), inputs)
    }
    await store.putStoreEntry(trx, parseEmojiId('🔥🐍'), 'SvcPageData', {
      title: 'Fire Snake',
      text: 'Pay me in Bitcoin, Ether, Monero or USDC.',
    })
    await store.putStoreEntry(trx, parseEmojiId('🔥🐍'), 'SvcLinkData', {
      links: [{ name: 'Shop', url: 'https://shop.example.com/fire-snake?from=emoji' }],
    })
  },
})

/** Example addresses from the documentation of their currencies; no one pays to them. */
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const oldBitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const otherEther = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const monero =
  '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge'
const moneroSub =
  '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'

export const demoIds: { text: string; inputs: RecordInput[] }[] = [
  {
    text: '🔥🐍',
    inputs: [
      { tag: '0x1003', data: bitcoin },
      { tag: '0x1004', data: ether },
      { tag: '0x1001', data: monero },
      { tag: '0x1002', data: moneroSub },
      { tag: '0x6300', data: `USDC|USD Coin|ETH|${otherEther}||` },
      { tag: '0x4001', data: 'https://example.com/fire-snake' },
      { tag: '0x0005', data: 'Fire Snake' },
    ],
  },
  {
    text: '🎸🎸🎸',
    inputs: [
      { tag: '0x0004', data: 'https://example.com/guitars' },
      { tag: '0x0002', data: 'Guitars, new and old' },
      { tag: '0x6000', data: 'guitars@social.example.com' },
    ],
  },
  {
    text: '👋🏽🌴',
    inputs: [
      { tag: '0x0006', data: '👋🏽🌴' },
      { tag: '0x1003', data: `${oldBitcoin}|Savings||` },
      { tag: '0x1003', data: `${bitcoin}|Everyday||t` },
      {
        tag: '0x3fff',
        data: 'KAS|kaspa:qqkqkzjvr7zwxxmjxjkmxxdwju9kjs6e9u82uh59z07vgaks6gg62v8707g73',
      },
    ],
  },
  {
    text: '🤖💎',
    inputs: [
      { tag: '0x0101', data: '8c87a1f0b6e2d4c3958f0a1b2c3d4e5f60718293a4b5c6d7e8f9010203040506' },
      { tag: '0x0001', data: '00'.repeat(32) },
      { tag: '0x0102', data: `${'a1'.repeat(32)}${'b2'.repeat(32)}` },
      { tag: '0x0003', data: '2030-12-31T00:00:00Z' },
      { tag: '0x4101', data: '192.0.2.7' },
      { tag: '0x411c', data: '2001:db8::7' },
      { tag: '0x4105', data: 'robots.example.com' },
      { tag: '0x410f', data: '10 mail.example.com.' },
      { tag: '0x4110', data: 'v=spf1 -all' },
      { tag: '0x5001', data: 'Any text' },
      { tag: '0x6200', data: 'pay@robots.example.com' },
    ],
  },
  { text: '🐙🍕👑', inputs: [] },
]
