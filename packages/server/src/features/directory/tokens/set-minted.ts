import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { assertScope, holdCaller, type Principal } from '../../operations/access/index.ts'
import * as owning from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { MintedState } from './schema.ts'

/** Operators record the state of the chain. */
export async function setMinted(
  { db, emojiIds, audit }: Deps,
  caller: Principal,
  id: EmojiId,
  { minted, account: input, reason }: MintedState,
) {
  if (!minted) assertScope(caller, 'nftToken:destroy')
  const account = input === undefined ? undefined : rules.readAccount(input)
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    const token_account = minted ? account : null
    const change = { minted, signed_until: ownedId.signed_until }
    await emojiIds.setToken(trx, id, {
      ...change,
      ...(token_account === undefined ? {} : { token_account }),
    })
    const details = { emoji_id: id, minted, account, reason }
    const entry = { actor_id: caller.user_id, subject_id: ownedId.user_id, details }
    await audit.writeEntry(trx, 'token.minted', entry)
    return owning.listItem(await emojiIds.loadIdToChange(trx, id))
  })
}
