import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { missingScope, type Principal } from '../../operations/access/access.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { OutgoingQuery } from './schema.ts'
import type { Deps } from './transfers.ts'

const handedOnAtMost = 1_000

export const hasOpenTransfer = async (trx: Transaction, id: EmojiId): Promise<boolean> =>
  (await transfers.findOpenOfId(trx, id)) !== undefined

/** Lists the caller's outgoing transfers; operators may name another sender. */
export async function listOutgoing(deps: Deps, caller: Principal, query: OutgoingQuery) {
  const { sender_id = caller.user_id } = query
  if (sender_id !== caller.user_id && !rules.isOperator(caller)) {
    throw missingScope(['adminEmoji:transfer'])
  }
  if (sender_id !== caller.user_id) await deps.accounts.loadAccount(sender_id)
  return pageOutgoing(deps, caller, sender_id, query)
}

export const listNewestOutgoing = (deps: Deps, caller: Principal, sender_id: string) =>
  pageOutgoing(deps, caller, sender_id, { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' })

type IncomingOptions = { withAccepted?: boolean | undefined; organization_ids?: readonly string[] }

async function listIncoming(
  { accounts, db, recipientKey }: Deps,
  caller: Principal,
  user_id: string,
  { withAccepted = false, organization_ids = [] }: IncomingOptions = {},
) {
  if (!rules.isVisibleTo(await accounts.loadAccount(user_id))) return []
  const openStates = ['awaiting_sender', 'awaiting_receiver'] as const
  const states = withAccepted ? [...openStates, 'accepted' as const] : openStates
  const rows = await transfers.findIncoming(db, user_id, organization_ids, states)
  const shown = rows.filter((row) => row.shows_sender).map(({ sender_id }) => sender_id)
  const senders = new Map<string, User>()
  if (shown.length > 0) {
    for (const user of await accounts.findAccounts(db, [...new Set(shown)]))
      senders.set(user.id, user)
  }
  const ids = rows.map(({ emoji_id }) => emoji_id)
  const tokensElsewhere = await transfers.findTokensElsewhere(db, ids, user_id)
  return rows.map((row) => ({
    ...rules.show(
      { recipientKey, caller },
      row,
      rules.shownSender(row, senders.get(row.sender_id)),
    ),
    ...(!row.accepted_at && tokensElsewhere.has(row.emoji_id) ? { token_stays: true } : {}),
  }))
}

/** The incoming transfers of a user; of the caller also those of the caller's organizations. */
export const listIncomingFor = (deps: Deps, caller: Principal, user_id: string) =>
  user_id === caller.user_id ? listIncomingOf(deps, caller) : listIncoming(deps, caller, user_id)

/** Lists the caller's incoming transfers, with those of organizations in which the caller accepts. */
export const listIncomingOf = (deps: Deps, caller: Principal, withAccepted?: boolean) =>
  listIncoming(deps, caller, caller.user_id, {
    withAccepted,
    organization_ids: rules.organizationsOf(caller),
  })

/** Accepted transfers of these ids since a time. */
export async function listAcceptedTransfers(
  { db }: Deps,
  emoji_ids: readonly string[],
  since: Date,
) {
  return emoji_ids.length === 0 ? [] : transfers.findAccepted(db, emoji_ids, since, handedOnAtMost)
}

/** The ids of a user's open transfers, in both directions; of the caller also as `listIncomingOf`. */
export async function listPendingIds({ db }: Deps, caller: Principal, user: User) {
  const organization_ids = user.id === caller.user_id ? rules.organizationsOf(caller) : []
  const openTransfers = await transfers.findOpenIds(db, user.id, organization_ids)
  return openTransfers
    .filter(({ sender_id }) => sender_id === user.id || rules.isVisibleTo(user))
    .map(({ emoji_id }) => emoji_id)
}

async function pageOutgoing(
  { db, recipientKey }: Deps,
  caller: Principal,
  sender_id: string,
  query: OutgoingQuery,
) {
  const { rows, total } = await transfers.findOutgoing(db, sender_id, query)
  return toPage(
    rows.map((row) => rules.show({ recipientKey, caller }, row)),
    total,
    query,
  )
}
