import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import { holdCaller, type Principal } from '../../operations/access/index.ts'
import { countWrongCode } from './advance-transfer.ts'
import type { Deps } from './deps.ts'
import type { Handover } from './move-id.ts'
import { isGiftToken } from './open-gift.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Transfer } from './table.ts'

type CodeInput = { caller: Principal; id: string; code: string }

/** Runs the work if the code is right. A wrong code is counted in a transaction that commits. */
export async function withVerifiedCode<Result>(
  deps: Deps,
  { caller, id, code }: CodeInput,
  side: rules.Side,
  work: (trx: Transaction, confirmedHandover: Handover) => Promise<Result>,
): Promise<Result> {
  const { accounts, db, emojiIds, codeKey, now } = deps
  const foundTransfer = rules.assertParty(caller, await transfers.find(db, id), side)
  rules.nextStatus(foundTransfer, `${side}_accept`)
  const person = await accounts.loadAccount(caller.user_id)
  rules.assertCanConfirm(person)
  const isApp = !rules.isMailed(person)
  const appVerdict = isApp ? await verifyAppCode(deps, person, caller, code) : undefined
  const isGift = side === 'receiver' && !isApp && isGiftToken(code)
  const outcome = await transact(db, async (trx) => {
    const ownedId = await emojiIds.findIdToChange(trx, foundTransfer.emoji_id as EmojiId)
    const { recipient_id } = foundTransfer
    const recipient = recipient_id
      ? await accounts.findAccountToChange(trx, recipient_id)
      : undefined
    await holdCaller(trx, caller)
    const transfer = await transfers.findToChange(trx, id)
    if (!ownedId || !transfer || (recipient_id && !recipient)) throw rules.notNow('closed')
    rules.nextStatus(transfer, `${side}_accept`)
    emojiIds.assertChangeable(ownedId)
    if (recipient) rules.assertSameMailbox(transfer, recipient)
    if (side === 'receiver') rules.assertConfirmed(recipient ?? person)
    const hmac = rules.codeHmac(codeKey, id, side, code)
    const giftVerdict = isGift ? await useGift(deps, trx, transfer, caller, code) : undefined
    const verdict = appVerdict ?? giftVerdict ?? rules.judge(transfer, hmac, now())
    if (verdict === 'right') {
      return { verdict, result: await work(trx, { transfer, owned: ownedId, recipient }) }
    }
    const isWrong = verdict === 'wrong'
    const isOver = isWrong && (await countWrongCode(deps, trx, transfer, caller.user_id))
    return { verdict, isOver }
  })
  if (outcome.verdict === 'right') return outcome.result
  throw rules.wrongCode(outcome.verdict, outcome.isOver)
}

/** A token is far longer than a code, so a wrong one is no guess and closes nothing. */
async function useGift(
  { links }: Deps,
  trx: Transaction,
  { id }: Transfer,
  { user_id }: Principal,
  token: string,
): Promise<rules.Verdict> {
  const link = await links.peekLink('gift', token, trx)
  const isTheirs = link?.data.transfer_id === id && link.user_id === user_id
  if (!isTheirs) return 'late'
  return (await links.useLink(trx, 'gift', token)) ? 'right' : 'late'
}

async function verifyAppCode(
  { secondFactor }: Deps,
  person: User,
  caller: Principal,
  code: string,
): Promise<rules.Verdict> {
  try {
    await secondFactor.verifyCode(person, caller.session_id ?? '', code)
    return 'right'
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'wrong_code') return 'wrong'
    if (error instanceof ServiceError && error.code === 'used_code') return 'used'
    throw error
  }
}
