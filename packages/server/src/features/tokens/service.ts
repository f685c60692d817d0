import { chainFormat, type EmojiId } from '@emojid/core'
import type { EthereumSigner } from '../../platform/crypto/ethereum.ts'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertScope, type Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import * as owning from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import { themeOf } from '../pictures/index.ts'
import type { Store } from '../store/index.ts'
import type { Transfers } from '../transfers/index.ts'
import * as signatures from './repository.ts'
import * as rules from './rules.ts'
import type { MintedState, SignatureRequest, TokenQuery } from './schema.ts'

export type Tokens = ReturnType<typeof createTokens>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: owning.EmojiIds
  store: Store
  transfers: Transfers
  ledger: Ledger
  audit: Audit
  now: () => Date
  /** How long ids are not minted after a card paid for them. */
  mintAfterCardMs: number
  signer: EthereumSigner
  webUrl: string
}

/** Ids as tokens of a blockchain: who may mint one, which ones are, and what markets show. */
export function createTokens(options: Options) {
  const { db, accounts, emojiIds, store, transfers, ledger, audit, now, signer, webUrl } = options
  const { mintAfterCardMs } = options

  /** A token cannot be taken back when the bank takes the money. */
  const assertPaidForGood = async (trx: Transaction, { order_id }: owning.OwnedId) => {
    const paid_at = order_id && (await ledger.lastPaidByCard(trx, order_id))
    if (paid_at) rules.assertPaidLongAgo(paid_at, mintAfterCardMs, now())
  }

  /** Everybody who may hand the id on is held up by it. */
  const tellOwners = async (
    trx: Transaction,
    owned: owning.OwnedId,
    { account, end, signer_id }: { account: string; end: Date; signer_id: string },
  ) => {
    const people = await emojiIds.peopleBehind(trx, owned)
    const sentence = rules.signedSentence(owned.display_format, account, end)
    const title = 'A signature to mint was given'
    for (const user of await accounts.findAll(trx, people)) {
      // The access of a colleague has nothing to do with it.
      if (user.id !== signer_id) await accounts.tell(trx, user, title, sentence)
      else await accounts.tellToOwner(trx, user, title, sentence, { told: 'signature' })
    }
  }

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
        owning.assertNotFrozen(owned, 'emoji_id')
        await assertPaidForGood(trx, owned)
        if (await transfers.isOpen(trx, id)) throw new rules.TransferOpenError()
        const others = await signatures.countOthers(trx, { emoji_id: id, account }, now())
        if (others >= rules.accountsAtMost) throw new rules.TooManyAccountsError()
        const end = new Date(expiry * 1_000)
        const before = owned.signed_until ?? end
        await emojiIds.setToken(trx, id, { signed_until: before > end ? before : end })
        const signed = { signed_by: caller.user_id, signed_at: now(), until: end }
        await signatures.note(trx, { emoji_id: id, account, ...signed })
        const details = { emoji_id: id, account, expiry }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'token.signed', noted)
        await tellOwners(trx, owned, { account, end, signer_id: caller.user_id })
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

    /** Which ids may be minted at any moment, by which accounts, and which are. */
    async list(query: TokenQuery) {
      const at = now()
      const { rows, total } = await signatures.findPage(db, query, at)
      const made = await signatures.findOf(
        db,
        rows.map(({ emoji_id }) => emoji_id),
      )
      const data = rows.map((row) =>
        rules.showToken(
          row,
          made.filter(({ emoji_id }) => emoji_id === row.emoji_id),
        ),
      )
      return toPage(data, total, query)
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
