import { chainFormat, type EmojiId } from '@emojid/core'
import type { EthereumSigner } from '../../platform/crypto/ethereum.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import { assertScope, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import * as owning from '../emoji-ids/index.ts'
import { themeOf } from '../pictures/index.ts'
import type { Store } from '../store/index.ts'
import type { Transfers } from '../transfers/index.ts'
import * as rules from './rules.ts'
import type { MintedState, SignatureRequest } from './schema.ts'

export type Tokens = ReturnType<typeof createTokens>

type Options = {
  db: Database
  emojiIds: owning.EmojiIds
  store: Store
  transfers: Transfers
  audit: Audit
  now: () => Date
  signer: EthereumSigner
  webUrl: string
}

/** Ids as tokens of a blockchain: who may mint one, which ones are, and what markets show. */
export function createTokens(options: Options) {
  const { db, emojiIds, store, transfers, audit, now, signer, webUrl } = options

  return {
    /** Signs that an account may mint the id; until that ends, the id goes nowhere. */
    async sign(caller: Principal, id: EmojiId, request: SignatureRequest) {
      const account = rules.readAccount(request.account)
      const expiry = rules.readExpiry(request.expiry, now())
      const token = chainFormat(id)
      await transact(db, async (trx) => {
        const owned = await emojiIds.loadToChange(trx, id)
        owning.assertOwns(caller, owned)
        if (owned.minted) throw new rules.MintedError()
        owning.assertNotBlocked(owned, now(), 'emoji_id')
        if (await transfers.isOpen(trx, id)) throw new rules.TransferOpenError()
        const end = new Date(expiry * 1_000)
        const before = owned.signed_until ?? end
        await emojiIds.setToken(trx, id, { signed_until: before > end ? before : end })
        const details = { emoji_id: id, account, expiry }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'token.signed', noted)
      })
      const signature = signer.sign(rules.packed({ token, account, expiry }))
      return { account, expiry, signature, token }
    },

    /** Operators tell what happened on the chain. */
    async setMinted(caller: Principal, id: EmojiId, { minted, reason }: MintedState) {
      if (!minted) assertScope(caller, 'nftToken:destroy')
      return transact(db, async (trx) => {
        const owned = await emojiIds.loadToChange(trx, id)
        await emojiIds.setToken(trx, id, { minted, signed_until: owned.signed_until })
        const details = { emoji_id: id, minted, reason }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'token.minted', noted)
        return owning.listItem(await emojiIds.loadToChange(trx, id))
      })
    },

    async metadata(token_id: number) {
      const owned = await emojiIds.findByToken(token_id)
      if (!owned) throw new rules.UnknownTokenError()
      const keys = ['VisualizerFileLocations', 'VisualizerData'] as const
      const [files, data] = await store.read(owned.emoji_id as EmojiId, keys)
      return rules.metadataOf(owned, { files, theme: themeOf(data) }, webUrl)
    },
  }
}
