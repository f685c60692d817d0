import { chainFormat, type EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/index.ts'
import {
  assertNotBlocked,
  assertNotFrozen,
  assertOwns,
  idPage,
  type OwnedId,
} from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './deps.ts'
import * as signatures from './repository.ts'
import * as rules from './rules.ts'
import type { SignatureRequest } from './schema.ts'

/**
 * Signs that an account may mint the id. Until the signature expires, the id cannot be transferred
 * or released.
 */
export async function signMint(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  request: SignatureRequest,
) {
  const { now, db, accounts, emojiIds, transfers, audit, signer, beforeSigned } = deps
  const account = rules.readAccount(request.account)
  const expiry = rules.readExpiry(request.expiry, now())
  const token = chainFormat(id)
  await transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    assertOwns(caller, ownedId)
    await accounts.assertSettledMailbox(trx, caller.user_id)
    if (ownedId.minted) throw rules.mintedAlready()
    assertNotBlocked(ownedId, now(), 'emoji_id')
    assertNotFrozen(ownedId, 'emoji_id')
    emojiIds.assertChangeable(ownedId)
    for (const check of beforeSigned) await check(trx, ownedId)
    if (await transfers.hasOpenTransfer(trx, id)) throw rules.transferOpen()
    const others = await signatures.countOthers(trx, { emoji_id: id, account }, now())
    if (others >= rules.accountsAtMost) throw rules.tooManyAccounts()
    const end = new Date(expiry * 1_000)
    const before = ownedId.signed_until ?? end
    await emojiIds.setToken(trx, id, { signed_until: before > end ? before : end })
    const signedMint = { signed_by: caller.user_id, signed_at: now(), until: end }
    await signatures.note(trx, { emoji_id: id, account, ...signedMint })
    const details = { emoji_id: id, account, expiry }
    const entry = { actor_id: caller.user_id, subject_id: ownedId.user_id, details }
    await audit.writeEntry(trx, 'token.signed', entry)
    await notifyOwners(deps, trx, ownedId, { account, end, signer_id: caller.user_id })
  })
  const signature = signer.sign(rules.packPermission({ token, account, expiry }))
  return { account, expiry, signature, token }
}

/** The signature blocks transfers, so all users who may transfer the id are emailed. */
async function notifyOwners(
  { emojiIds, accounts }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  { account, end, signer_id }: { account: string; end: Date; signer_id: string },
) {
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  const sentence = rules.signedSentence(ownedId.display_format, account, end)
  const title = 'A mint signature was issued'
  const about = { told: 'signature', emoji_id: ownedId.emoji_id } as const
  const page = idPage(ownedId.emoji_id)
  for (const user of await accounts.findAccounts(trx, people)) {
    // Other owners get no "this was not me" link: their access was not used.
    if (user.id !== signer_id) await accounts.notifyAccount(trx, user, title, sentence, page)
    else await accounts.notifyOwner(trx, user, title, sentence, about)
  }
}
