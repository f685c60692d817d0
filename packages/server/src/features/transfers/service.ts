import { type EmojiId, toDisplayFormat } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, MissingScopeError, type Principal } from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/index.ts'
import type { Notifications } from '../notifications/index.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { OutgoingQuery } from './schema.ts'
import type { Transfer } from './table.ts'

export type Transfers = ReturnType<typeof createTransfers>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  notifications: Notifications
  audit: Audit
  now: () => Date
}
type Received = {
  by: 'sender' | 'operator'
  is_new: boolean
  luggage: { records: number; addresses: string[] }
  link: string
}
type Noted = {
  actor_id: string | null
  result?: 'refused'
  ending?: rules.Ending
  reason?: string | undefined
}
type Closer = Pick<Noted, 'actor_id' | 'reason'>

const sweptAtOnce = 200
const handedOnAtMost = 1_000

/**
 * Ids on their way, as rows: listing, moving, ending. What moves them is told elsewhere. Rows are
 * locked in this order: the id, accounts, the transfer.
 */
export function createTransfers(options: Options) {
  const { db, accounts, emojiIds, notifications, audit, now } = options

  const shown = ({ emoji_id }: Transfer) => ({ emoji_id: toDisplayFormat(emoji_id) })
  const tell = async (trx: Transaction, user: User, transfer: Transfer, sentence: string) => {
    if (!user.email || user.deactivated_at) return
    const params = { ...shown(transfer), sentence }
    await notifications.queueMail(trx, { to: user.email, template: 'transfer_news', params })
  }
  const note = (
    trx: Transaction,
    event: Parameters<Audit['note']>[1],
    { id, emoji_id, sender_id, recipient_id }: Transfer,
    { actor_id, result, ...more }: Noted,
  ) => {
    const details = { transfer_id: id, emoji_id, recipient_id, ...more }
    return audit.note(trx, event, {
      actor_id,
      subject_id: sender_id,
      details,
      ...(result ? { result } : {}),
    })
  }

  /** Ends an open transfer; those are told who know of it and did not end it themselves. */
  const close = async (
    trx: Transaction,
    transfer: Transfer,
    ending: rules.Ending,
    { actor_id, reason }: Closer,
  ): Promise<Transfer | undefined> => {
    const { id, status, sender_id, recipient_id, emoji_id } = transfer
    const end = { status: rules.next(transfer, 'close'), deleted_at: now() }
    const from = { id, from: status }
    const closed = await transfers.update(trx, from, { ...end, code_hmac: null })
    if (!closed) return undefined
    await note(trx, 'transfer.closed', transfer, { actor_id, ending, reason })
    const sentence = rules.endingOf(ending, toDisplayFormat(emoji_id))
    const isKnown = status === 'awaiting_receiver' || ending === 'too_old'
    for (const user of await accounts.findAll(trx, [sender_id, recipient_id])) {
      // Whoever had an id that was moved learns that in a mail of its own.
      const knows = user.id === sender_id ? ending !== 'forced' : isKnown
      if (knows && user.id !== actor_id) await tell(trx, user, transfer, sentence)
    }
    return closed
  }

  const closeOf = async (trx: Transaction, id: EmojiId, ending: rules.Ending, by: Closer) => {
    const open = await transfers.findOpenOfId(trx, id)
    if (open) await close(trx, open, ending, by)
  }

  emojiIds.whenEmptied((trx, id) => closeOf(trx, id, 'id_gone', { actor_id: null }))
  accounts.beforeDeletion(async (trx, user_id) => {
    for (const open of await transfers.findOpenOfUser(trx, user_id)) {
      await close(trx, open, 'account_gone', { actor_id: user_id })
    }
    await transfers.forgetPerson(trx, user_id)
  })
  const closeSent = async (trx: Transaction, user_id: string, ending: rules.Ending) => {
    for (const open of await transfers.findOpenOfSender(trx, user_id)) {
      await close(trx, open, ending, { actor_id: user_id })
    }
  }
  accounts.whenDisowned((trx, user_id) => closeSent(trx, user_id, 'account_gone'))
  // An intruder may have started them.
  accounts.whenRevoked((trx, user_id) => closeSent(trx, user_id, 'revoked'))

  /** Whoever else may act for the id can still call it off. */
  const tellColleagues = async (trx: Transaction, transfer: Transfer, owned: OwnedId) => {
    const people = await emojiIds.peopleBehind(trx, owned)
    const { emoji_id } = shown(transfer)
    const sentence = `Another member of your organization hands the emoji id ${emoji_id} on. Until the receiver accepts it, you can delete the transfer ${transfer.id}.`
    for (const user of await accounts.findAll(trx, people)) {
      if (user.id !== transfer.sender_id) await tell(trx, user, transfer, sentence)
    }
  }

  /** Counts a wrong code; the last one ends the transfer. */
  const countWrong = async (trx: Transaction, transfer: Transfer, actor_id: string) => {
    await note(trx, 'transfer.code_given', transfer, { actor_id, result: 'refused' })
    const tries = transfer.tries + 1
    const isOver = tries >= rules.triesAtMost
    if (isOver) await close(trx, transfer, 'wrong_codes', { actor_id: null })
    else await transfers.update(trx, { id: transfer.id, from: transfer.status }, { tries })
    return isOver
  }

  /** The next state by one conditional update, which names the one it comes from. */
  const step = async (
    trx: Transaction,
    transfer: Transfer,
    trigger: rules.Trigger,
    change: Partial<Omit<Transfer, 'id' | 'status'>>,
  ): Promise<Transfer> => {
    const status = rules.next(transfer, trigger)
    const from = { id: transfer.id, from: transfer.status }
    const moved = await transfers.update(trx, from, { ...change, status })
    if (!moved) throw new rules.NotNowError(transfer.status)
    return moved
  }

  const findOutgoing = async (sender_id: string, query: OutgoingQuery) => {
    const { rows, total } = await transfers.findOutgoing(db, sender_id, query)
    return toPage(rows.map(rules.show), total, query)
  }

  return {
    note,
    close,
    closeOf,
    countWrong,
    step,
    tellColleagues,
    /** To somebody for whom an account was just made. */
    tellInvited: (trx: Transaction, transfer: Transfer, link: string) =>
      notifications.queueMail(trx, {
        to: transfer.email,
        template: 'transfer_invitation',
        params: { ...shown(transfer), link },
      }),
    async tellReceived(trx: Transaction, user: User, transfer: Transfer, received: Received) {
      if (!user.email) return
      const params = { ...shown(transfer), ...received }
      await notifications.queueMail(trx, { to: user.email, template: 'transfer_received', params })
    },
    async tellGiven(trx: Transaction, sender: User, transfer: Transfer) {
      const { emoji_id } = shown(transfer)
      const sentence = `The emoji id ${emoji_id} belongs to somebody else now.`
      await accounts.tell(trx, sender, `${emoji_id} is not yours any more`, sentence)
    },
    /** To those who had the id until an operator moved it. */
    async tellTaken(trx: Transaction, people: readonly string[], transfer: Transfer) {
      const params = shown(transfer)
      for (const { email, deactivated_at } of await accounts.findAll(trx, people)) {
        if (!email || deactivated_at) continue
        await notifications.queueMail(trx, { to: email, template: 'transfer_forced', params })
      }
    },
    find: (id: string) => transfers.find(db, id),
    findToChange: transfers.findToChange,
    /** Nothing when the id is on another way already. */
    insert: transfers.insert,
    update: transfers.update,
    begunSince: transfers.countBegun,
    begunTo: transfers.countTo,
    isOpen: async (trx: Transaction, id: EmojiId): Promise<boolean> =>
      (await transfers.findOpenOfId(trx, id)) !== undefined,

    /** Own ones, or anybody's for administrators. */
    async outgoing(caller: Principal, query: OutgoingQuery) {
      const { sender_id = caller.user_id } = query
      if (sender_id !== caller.user_id && !rules.isOperator(caller)) {
        throw new MissingScopeError(['adminEmoji:transfer'])
      }
      return findOutgoing(sender_id, query)
    },

    /** The newest that somebody began. */
    newestOf: (sender_id: string) =>
      findOutgoing(sender_id, { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' }),

    async incoming(user_id: string, withAccepted = false) {
      if (!rules.isVisibleTo(await accounts.load(user_id))) return []
      const open = ['awaiting_sender', 'awaiting_receiver'] as const
      const states = withAccepted ? [...open, 'accepted' as const] : open
      return (await transfers.findIncoming(db, user_id, states)).map(rules.show)
    },

    /** How these ids changed hands since then. */
    async handedOn(emoji_ids: readonly string[], since: Date) {
      return emoji_ids.length === 0
        ? []
        : transfers.findAccepted(db, emoji_ids, since, handedOnAtMost)
    },

    /** The ids that are on their way to or from somebody. */
    async pendingIds(user: User): Promise<string[]> {
      const open = await transfers.findOpenOfUser(db, user.id)
      return open
        .filter(({ sender_id }) => sender_id === user.id || rules.isVisibleTo(user))
        .map(({ emoji_id }) => emoji_id)
    },

    /** Calls an open one off; whoever may act for the id can, and operators. */
    async remove(caller: Principal, id: string, { reason }: MaybeWhy) {
      const actor_id = caller.user_id
      return transact(db, async (trx) => {
        const found = await transfers.findToChange(trx, id)
        const emoji_id = found?.emoji_id as EmojiId
        const owned = found && (await emojiIds.ownersOf(trx, [emoji_id])).get(emoji_id)
        const people = owned ? await emojiIds.peopleBehind(trx, owned) : []
        const isOpen = found && found.accepted_at === null && found.deleted_at === null
        const isTheirs = isOpen && people.includes(actor_id)
        const mayDelete = rules.isOperator(caller) || isTheirs
        const transfer = found && mayDelete ? found : rules.assertParty(caller, found, 'sender')
        if (!isTheirs && !rules.isParty(caller, transfer)) assertFresh(caller, true)
        const status = rules.next(transfer, 'delete')
        if (transfer.deleted_at) return rules.show(transfer)
        const by = { actor_id, reason }
        if (status === 'closed') {
          return rules.show((await close(trx, transfer, 'deleted', by)) ?? transfer)
        }
        const marked = await transfers.update(trx, { id, from: status }, { deleted_at: now() })
        await note(trx, 'transfer.deleted', transfer, by)
        return rules.show(marked ?? transfer)
      })
    },

    /** Ends what nobody completed. */
    async sweep(): Promise<void> {
      const old = await transfers.findOpenSince(db, rules.openSince(now()), sweptAtOnce)
      for (const transfer of old) {
        await transact(db, (trx) => close(trx, transfer, 'too_old', { actor_id: null }))
      }
    },
  }
}
