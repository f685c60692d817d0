import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import { countWrongCode } from './advance-transfer.ts'
import type { Handover } from './move-id.ts'
import { isGiftToken } from './open-gift.ts'
import type { Transfer } from './repository.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

type CodeInput = { caller: Principal; id: string; code: string }

/** Runs the work if the code is right. A wrong code is counted in a transaction that commits. */
export async function withVerifiedCode<Result>(
  deps: Deps,
  { caller, id, code }: CodeInput,
  side: rules.Side,
  work: (trx: Transaction, confirmedHandover: Handover) => Promise<Result>,
): Promise<Result> {
  const { accounts, db, emojiIds, mailbox, codeKey, now } = deps
  const foundTransfer = rules.assertParty(caller, await transfers.find(db, id), side)
  rules.nextStatus(foundTransfer, `${side}_accept`)
  const person = await accounts.loadAccount(caller.user_id)
  const proof = rules.proofOf(person)
  const ownVerdict = proof === 'mail' ? undefined : await verifyOwn(deps, person, caller, code)
  const isGift = side === 'receiver' && proof === 'mail' && isGiftToken(code)
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
    // The code of an organization went to its confirmed members.
    if (side === 'receiver' && !recipient) rules.assertConfirmed(person)
    const hmac = rules.codeHmac(codeKey, id, side, code)
    const giftVerdict = isGift ? await useGift(deps, trx, transfer, caller, code) : undefined
    const verdict = ownVerdict ?? giftVerdict ?? rules.judge(transfer, hmac, now())
    if (verdict === 'right') {
      const isNews = side === 'receiver' && recipient && !rules.isVisibleTo(recipient)
      const confirmed = isNews ? await mailbox.confirmMailbox(trx, recipient) : recipient
      const handover = { transfer, owned: ownedId, recipient: confirmed }
      return { verdict, result: await work(trx, handover) }
    }
    const isWrong = verdict === 'wrong'
    const isOver = isWrong && (await countWrongCode(deps, trx, transfer, caller.user_id))
    return { verdict, isOver }
  })
  if (outcome.verdict === 'right') return outcome.result
  throw rules.wrongCode(outcome.verdict, outcome.isOver, proof)
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

const verdicts: Record<string, rules.Verdict> = {
  wrong_code: 'wrong',
  wrong_password: 'wrong',
  used_code: 'used',
}

/** Verifies a code of the app, or the password. Both count failures over all transfers too. */
async function verifyOwn(
  { accounts, secondFactor }: Deps,
  person: User,
  caller: Principal,
  text: string,
): Promise<rules.Verdict> {
  try {
    if (rules.proofOf(person) === 'password') await accounts.assertPassword(person, text)
    else await secondFactor.verifyCode(person, caller.session_id ?? '', text)
    return 'right'
  } catch (error) {
    const verdict = error instanceof ServiceError ? verdicts[error.code] : undefined
    if (verdict) return verdict
    throw error
  }
}

/**
 * The code of an offer confirms the address of its recipient, who sees the offer from then on. Codes
 * are long and the route is limited, so a wrong one closes nothing: a stranger may have registered
 * with the address.
 */
export async function confirmByOffer(deps: Deps, caller: Principal, code: string) {
  const { accounts, db, mailbox, codeKey, recipientKey, now } = deps
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const offers = await transfers.findIncoming(trx, user.id, [], ['awaiting_receiver'])
    const offer = offers.find(
      (one) =>
        rules.judge(one, rules.codeHmac(codeKey, one.id, 'receiver', code), now()) === 'right',
    )
    if (!offer) throw rules.unknownCode()
    rules.assertSameMailbox(offer, user)
    if (!rules.isVisibleTo(user)) await mailbox.confirmMailbox(trx, user)
    const sender = await accounts.findAccount(offer.sender_id, trx)
    return rules.show({ recipientKey, caller }, offer, rules.shownSender(offer, sender))
  })
}
