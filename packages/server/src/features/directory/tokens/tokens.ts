import { chainFormat, type EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import type { EthereumSigner } from '../../../platform/crypto/ethereum.ts'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import { assertScope, holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import {
  assertNotBlocked,
  assertNotFrozen,
  assertOwns,
  type EmojiIds,
  idPage,
  listItem,
  type OwnedId,
} from '../emoji-ids/emoji-ids.ts'
import { themeOf } from '../pictures/pictures.ts'
import type { Store } from '../store/store.ts'
import type { Transfers } from '../transfers/transfers.ts'
import * as signatures from './repository.ts'
import type { MintedState, SignatureRequest, TokenQuery } from './routes.ts'
import * as rules from './rules.ts'

/** A check of other features before an id may be minted; it refuses by throwing. */
export type SigningGuard = (trx: Transaction, ownedId: OwnedId) => Promise<void>

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  store: Store
  transfers: Transfers
  audit: Audit
  now: () => Date
  signer: EthereumSigner
  webUrl: string
}

type Deps = Options & { beforeSigned: SigningGuard[] }

export type Tokens = ReturnType<typeof createTokens>

/** Ids as tokens of a blockchain: mint signatures, minted ids and the metadata for markets. */
export function createTokens(options: Options) {
  const beforeSigned: SigningGuard[] = []
  const deps: Deps = { ...options, beforeSigned }
  return {
    ...bindUseCases(deps, { signMint, setMinted, listTokens, showMetadata }),
    beforeSigned: (check: SigningGuard) => void beforeSigned.push(check),
  }
}

/**
 * Signs that an account may mint the id. Until the signature expires, the id cannot be transferred
 * or released.
 */
async function signMint(deps: Deps, caller: Principal, id: EmojiId, request: SignatureRequest) {
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
  const about = { event: 'signature', emoji_id: ownedId.emoji_id } as const
  const page = idPage(ownedId.emoji_id)
  for (const user of await accounts.findAccounts(trx, people)) {
    // Other owners get no "this was not me" link: their access was not used.
    if (user.id !== signer_id) await accounts.notifyAccount(trx, user, title, sentence, page)
    else await accounts.notifyOwner(trx, user, title, sentence, about)
  }
}

/** Operators record the state of the chain. */
async function setMinted(
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

async function listTokens({ now, db }: Deps, query: TokenQuery) {
  const at = now()
  const { rows, total } = await signatures.findPage(db, query, at)
  const signatureRows = await signatures.findOf(
    db,
    rows.map(({ emoji_id }) => emoji_id),
  )
  const data = rows.map((row) =>
    rules.showToken(
      row,
      signatureRows.filter(({ emoji_id }) => emoji_id === row.emoji_id),
    ),
  )
  return toPage(data, total, query)
}

async function showMetadata({ emojiIds, store, webUrl }: Deps, token_id: number) {
  const ownedId = await emojiIds.findIdByToken(token_id)
  if (!ownedId) throw rules.unknownToken()
  const keys = ['VisualizerFileLocations', 'VisualizerData'] as const
  const [files, data] = await store.readStore(ownedId.emoji_id as EmojiId, keys)
  return rules.metadataOf(ownedId, { files, theme: themeOf(data) }, webUrl)
}
