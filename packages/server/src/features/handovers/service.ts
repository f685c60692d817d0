import { randomUUID } from 'node:crypto'
import { type EmojiId, toDisplayFormat } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { assertMailAddress, type MailAddress } from '../../platform/mail/address.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import { type Accounts, nobody, TakenError, type User } from '../accounts/index.ts'
import * as owning from '../emoji-ids/index.ts'
import { isSettled, type Keys, readPubkey } from '../keys/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { isAddress, nameAddress, type Records } from '../records/index.ts'
import {
  assertParty,
  NotNowError,
  next,
  type Side,
  show,
  type Transfer,
  type Transfers,
} from '../transfers/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import * as rules from './rules.ts'
import type { NewTransfer } from './schema.ts'

export type Handovers = ReturnType<typeof createHandovers>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: owning.EmojiIds
  keys: Keys
  records: Records
  secondFactor: SecondFactor
  transfers: Transfers
  notifications: Notifications
  now: () => Date
  webUrl: string
  /** Codes are kept as hashes under this key. */
  codeKey: Buffer
}
type NewRow = Omit<Transfer, 'status' | 'code_hmac' | 'code_sent_at' | 'tries'>
type Confirmed = { transfer: Transfer; owned: owning.OwnedId; recipient: User }
type Given = { caller: Principal; id: string; code: string }

/** From one owner to the next: two codes, and then everything moves in one moment. */
export function createHandovers(options: Options) {
  const { db, accounts, emojiIds, keys, records, secondFactor, transfers } = options
  const { notifications, now, webUrl, codeKey } = options

  /** Where codes are given, and where ids are. Whoever is not signed in is asked to, and led back. */
  const transfersPage = `${webUrl}/account/transfers`
  const idsPage = `${webUrl}/account`

  /** What comes along, or came. */
  const luggageOf = async (trx: Transaction, { emoji_id, clear_on_transfer }: NewRow) => {
    if (clear_on_transfer) return { records: 0, addresses: [] }
    const { records: all } = await records.current(trx, emoji_id as EmojiId)
    return { records: all.length, addresses: [...new Set(all.filter(isAddress).map(nameAddress))] }
  }

  /** Whoever has no mailbox is asked for a code of their app, and is sent none. */
  const sendCode = async (trx: Transaction, transfer: NewRow, side: Side, user: User) => {
    if (!user.email) return { code_hmac: null, code_sent_at: null }
    // Whoever is shut out is sent nothing, and finds no code that would be right.
    if (user.deactivated_at) return { code_hmac: null, code_sent_at: now() }
    const { id, emoji_id, email, pubkey } = transfer
    const code = rules.makeCode()
    const params = {
      emoji_id: toDisplayFormat(emoji_id),
      code,
      link: transfersPage,
      ...(side === 'sender'
        ? { receiver: email || `the key ${pubkey}` }
        : { luggage: await luggageOf(trx, transfer) }),
      valid_minutes: rules.codeLastsMs / 60_000,
    }
    await notifications.queueMail(trx, { to: user.email, template: 'transfer_code', params })
    return { code_hmac: rules.codeHmac(codeKey, id, side, code), code_sent_at: now() }
  }

  const makeAccount = async (trx: Transaction, caller: Principal, email: MailAddress) => {
    try {
      const user = await accounts.create(trx, { ...nobody, email }, null, caller)
      return { user, isNew: true }
    } catch (error) {
      // Somebody else did in this very moment.
      const user = error instanceof TakenError && (await accounts.findByEmail(email, trx))
      if (user) return { user, isNew: false }
      throw error
    }
  }
  /** Whom it is addressed to; an unknown mailbox gets an account. */
  const findRecipient = async (
    trx: Transaction,
    caller: Principal,
    { email, pubkey }: ReturnType<typeof rules.readAddressee>,
  ) => {
    if (email !== null) {
      assertMailAddress(email)
      const user = await accounts.findByEmail(email, trx)
      return user ? { user, isNew: false } : makeAccount(trx, caller, email)
    }
    const key = await keys.find(trx, readPubkey(pubkey ?? ''))
    const user = key?.user_id && isSettled(key) && (await accounts.find(key.user_id, trx))
    if (!user) throw new rules.UnknownKeyError()
    return { user, isNew: false }
  }
  /** Always in the same order, so that two who send each other something do not wait for ever. */
  const lockBoth = async (trx: Transaction, sender_id: string, recipient_id: string) => {
    const locked = new Map<string, User | undefined>()
    for (const id of [sender_id, recipient_id].sort()) {
      locked.set(id, await accounts.findToChange(trx, id))
    }
    return { sender: locked.get(sender_id), recipient: locked.get(recipient_id) }
  }

  /** The key that it was addressed to if it is still theirs, else their first. */
  const keyOf = async (trx: Transaction, { pubkey, recipient_id }: Transfer): Promise<string> => {
    const key = pubkey === null ? undefined : await keys.find(trx, pubkey)
    const isTheirs = key?.user_id === recipient_id && isSettled(key)
    return isTheirs ? key.pubkey : emojiIds.keyForBuyer(trx, recipient_id, null)
  }
  /** Owner, key and records change at once; what comes along is by its giver, not by its receiver. */
  const moveId = async (
    trx: Transaction,
    { transfer, owned, recipient }: Confirmed,
    giver_id: string,
  ): Promise<void> => {
    const { clear_on_transfer: isCleared } = transfer
    const to = { user_id: recipient.id, pubkey: await keyOf(trx, transfer), isCleared }
    const blocked_until = rules.blockedUntil(now())
    const moved = await emojiIds.handOn(trx, owned, { ...to, blocked_until })
    await records.handOn(trx, moved, giver_id, isCleared)
  }
  const tellReceived = async (
    trx: Transaction,
    { transfer, recipient }: Pick<Confirmed, 'transfer' | 'recipient'>,
    how: { by: 'sender' | 'operator'; is_new: boolean },
  ) => {
    const luggage = await luggageOf(trx, transfer)
    await transfers.tellReceived(trx, recipient, transfer, { ...how, luggage, link: idsPage })
  }

  const begin = async (trx: Transaction, row: NewRow, sender: User, isNew: boolean) => {
    rules.assertCanConfirm(sender)
    const since = new Date(now().getTime() - rules.begunWithinMs)
    const begun = await transfers.begunSince(trx, sender.id, since)
    if (begun >= rules.begunAtMost) throw new rules.TooManyError()
    const told = row.email ? await transfers.begunTo(trx, row.email, since) : 0
    if (told >= rules.begunToAtMost) throw new rules.TooManyToError()
    const code = await sendCode(trx, row, 'sender', sender)
    const made = await transfers.insert(trx, { ...row, ...code, status: 'awaiting_sender' })
    if (!made) throw new rules.OpenError()
    await transfers.note(trx, 'transfer.requested', made, { actor_id: sender.id })
    if (isNew) await transfers.tellInvited(trx, made, transfersPage)
    return made
  }
  const force = async (
    trx: Transaction,
    row: NewRow,
    { owned, recipient, isNew }: Omit<Confirmed, 'transfer'> & { isNew: boolean },
    { actor_id, reason }: Parameters<Transfers['note']>[3] & { actor_id: string },
  ) => {
    const people = await emojiIds.peopleBehind(trx, owned)
    await transfers.closeOf(trx, owned.emoji_id as EmojiId, 'forced', { actor_id, reason })
    const transfer = await transfers.insert(trx, {
      ...row,
      status: 'accepted',
      accepted_at: row.created_at,
      code_hmac: null,
      code_sent_at: null,
    })
    if (!transfer) throw new rules.OpenError()
    await moveId(trx, { transfer, owned, recipient }, actor_id)
    await transfers.tellTaken(trx, people, transfer)
    await tellReceived(trx, { transfer, recipient }, { by: 'operator', is_new: isNew })
    await transfers.note(trx, 'transfer.forced', transfer, { actor_id, reason })
    return transfer
  }

  const askApp = async (person: User, caller: Principal, code: string): Promise<rules.Verdict> => {
    try {
      await secondFactor.verify(person, caller.session_id ?? '', code)
      return 'right'
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'wrong_code') return 'wrong'
      if (error instanceof ServiceError && error.code === 'used_code') return 'used'
      throw error
    }
  }
  /** Does something once the code is right; a wrong one is counted although nothing comes of it. */
  const withCode = async <Result>(
    { caller, id, code }: Given,
    side: Side,
    work: (trx: Transaction, confirmed: Confirmed) => Promise<Result>,
  ): Promise<Result> => {
    const seen = assertParty(caller, await transfers.find(id), side)
    next(seen, `${side}_accept`)
    const person = await accounts.load(caller.user_id)
    rules.assertCanConfirm(person)
    const told = rules.isMailed(person) ? undefined : await askApp(person, caller, code)
    const outcome = await transact(db, async (trx) => {
      const owned = await emojiIds.findToChange(trx, seen.emoji_id as EmojiId)
      const recipient = await accounts.findToChange(trx, seen.recipient_id)
      const transfer = await transfers.findToChange(trx, id)
      if (!owned || !recipient || !transfer) throw new NotNowError('closed')
      next(transfer, `${side}_accept`)
      rules.assertSameMailbox(transfer, recipient)
      if (side === 'receiver') rules.assertConfirmed(recipient)
      const hmac = rules.codeHmac(codeKey, id, side, code)
      const verdict = told ?? rules.judge(transfer, hmac, now())
      if (verdict === 'right') {
        return { verdict, result: await work(trx, { transfer, owned, recipient }) }
      }
      const isWrong = verdict === 'wrong'
      const isOver = isWrong && (await transfers.countWrong(trx, transfer, caller.user_id))
      return { verdict, isOver }
    })
    if (outcome.verdict === 'right') return outcome.result
    throw new rules.WrongCodeError(outcome.verdict, outcome.isOver)
  }
  return {
    async request(caller: Principal, body: NewTransfer) {
      const emoji_id = owning.readEmojiId(body.eid)
      const to = rules.readAddressee(body)
      const message = rules.readMessage(body.message)
      const isForced = rules.mayForce(caller, body)
      return transact(db, async (trx) => {
        const owned = await emojiIds.loadToChange(trx, emoji_id)
        if (!isForced) owning.assertOwns(caller, owned)
        if (!isForced) owning.assertNotBlocked(owned, now(), 'eid')
        owning.assertCanLeave(owned, now(), 'eid')
        const sender_id = isForced ? (owned.user_id ?? caller.user_id) : caller.user_id
        const { user, isNew } = await findRecipient(trx, caller, to)
        if ([sender_id, owned.user_id].includes(user.id)) throw new rules.ToSelfError(to)
        const { sender, recipient } = await lockBoth(trx, sender_id, user.id)
        rules.assertMayReceive({ email: to.email ?? '' }, recipient)
        const row = {
          id: randomUUID(),
          emoji_id,
          sender_id,
          recipient_id: user.id,
          message,
          email: to.email ?? '',
          pubkey: to.pubkey?.toLowerCase() ?? null,
          clear_on_transfer: body.clear_on_transfer === true,
          created_at: now(),
          sender_code_accepted_at: null,
          accepted_at: null,
          deleted_at: null,
        }
        if (!isForced) return show(await begin(trx, row, sender as User, isNew))
        owning.assertActive(recipient)
        if (to.email && !isNew) rules.assertConfirmed(recipient)
        const by = { actor_id: caller.user_id, reason: body.reason }
        return show(await force(trx, row, { owned, recipient, isNew }, by))
      })
    },

    /** The sender means it; now it is the receiver's turn. */
    confirm: (caller: Principal, id: string, given: string) =>
      withCode({ caller, id, code: given }, 'sender', async (trx, confirmed) => {
        const { transfer, owned, recipient } = confirmed
        owning.assertOwns(caller, owned)
        owning.assertCanLeave(owned, now(), 'eid')
        rules.assertMayReceive(transfer, recipient)
        const code = await sendCode(trx, transfer, 'receiver', recipient)
        const change = { ...code, tries: 0, sender_code_accepted_at: now() }
        const moved = await transfers.step(trx, transfer, 'sender_accept', change)
        await transfers.note(trx, 'transfer.confirmed', moved, { actor_id: caller.user_id })
        await transfers.tellColleagues(trx, moved, owned)
        return show(moved)
      }),

    /** Answers the ids that are the receiver's now. */
    accept: (caller: Principal, id: string, code: string) =>
      withCode({ caller, id, code }, 'receiver', async (trx, confirmed) => {
        const { transfer, owned, recipient } = confirmed
        owning.assertActive(recipient)
        const sender = await accounts.find(transfer.sender_id, trx)
        const people = await emojiIds.peopleBehind(trx, owned)
        // Somebody who was shut out, or lost their role, gives nothing away.
        const mayGive = sender && !sender.deactivated_at && people.includes(sender.id)
        if (!mayGive) throw new NotNowError('closed')
        const change = { accepted_at: now(), code_hmac: null }
        const moved = await transfers.step(trx, transfer, 'receiver_accept', change)
        await moveId(trx, { ...confirmed, transfer: moved }, sender.id)
        await transfers.tellGiven(trx, sender, moved)
        await tellReceived(trx, { transfer: moved, recipient }, { by: 'sender', is_new: false })
        await transfers.note(trx, 'transfer.accepted', moved, { actor_id: caller.user_id })
        return [moved.emoji_id]
      }),

    /** A new code for whoever is next; the one before is void. */
    async resend(caller: Principal, id: string): Promise<void> {
      await transact(db, async (trx) => {
        const { transfer, side } = rules.assertTurn(caller, await transfers.findToChange(trx, id))
        const user = await accounts.find(caller.user_id, trx)
        if (!user?.email) throw new rules.NoCodeError()
        if (side === 'receiver') rules.assertSameMailbox(transfer, user)
        if (side === 'receiver') rules.assertConfirmed(user)
        rules.assertMayResend(transfer, now())
        const code = await sendCode(trx, transfer, side, user)
        await transfers.step(trx, transfer, 'resend_code', code)
        await transfers.note(trx, 'transfer.code_sent', transfer, { actor_id: user.id })
      })
    },
  }
}
