import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertScope, holdCaller, type Principal } from '../../operations/access/index.ts'
import { idPage, listItem, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './deps.ts'
import * as signatures from './repository.ts'
import * as rules from './rules.ts'
import type { MintedState } from './schema.ts'

/** Operators record the state of the chain. */
export async function setMinted(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  { minted, account: input, reason }: MintedState,
) {
  const { db, emojiIds, audit, now } = deps
  const account = input === undefined ? undefined : rules.readAccount(input)
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    const token_account = minted ? account : null
    // Without a token nothing is destroyed: the watcher confirms that a signature was not used.
    if (!minted && ownedId.minted) assertScope(caller, 'nftToken:destroy')
    const isEnded = ownedId.signed_until !== null && ownedId.signed_until <= now()
    const isConfirmed = !minted && isEnded
    const change = { minted, signed_until: isConfirmed ? null : ownedId.signed_until }
    await emojiIds.setToken(trx, id, {
      ...change,
      ...(token_account === undefined ? {} : { token_account }),
    })
    const details = { emoji_id: id, minted, account, reason }
    const entry = { actor_id: caller.user_id, subject_id: ownedId.user_id, details }
    await audit.writeEntry(trx, 'token.minted', entry)
    const isNew = !ownedId.minted || (account !== undefined && account !== ownedId.token_account)
    if (minted && isNew) await notifyOfForeignToken(deps, trx, ownedId, account)
    return listItem(await emojiIds.loadIdToChange(trx, id))
  })
}

/** A token that a former owner minted may appear after the id left. */
async function notifyOfForeignToken(
  { emojiIds, accounts }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  account: string | undefined,
) {
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  const { emoji_id, display_format } = ownedId
  if (await signatures.isAccountOf(trx, { emoji_id, account }, people)) return
  const sentence = rules.mintedSentence(display_format, account)
  for (const user of await accounts.findAccounts(trx, people)) {
    const page = idPage(emoji_id)
    await accounts.notifyAccount(trx, user, 'Your emoji id was minted', sentence, page)
  }
}
