import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/paging.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/index.ts'
import { missingScope, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { OutgoingQuery } from './schema.ts'

const handedOnAtMost = 1_000

export const hasOpenTransfer = async (trx: Transaction, id: EmojiId): Promise<boolean> =>
  (await transfers.findOpenOfId(trx, id)) !== undefined

/** Lists the caller's outgoing transfers; operators may name another sender. */
export async function listOutgoing(deps: Deps, caller: Principal, query: OutgoingQuery) {
  const { sender_id = caller.user_id } = query
  if (sender_id !== caller.user_id && !rules.isOperator(caller)) {
    throw missingScope(['adminEmoji:transfer'])
  }
  return pageOutgoing(deps, sender_id, query)
}

export const listNewestOutgoing = (deps: Deps, sender_id: string) =>
  pageOutgoing(deps, sender_id, { page: 0, limit: 50, sort: 'created_at', dir: 'Desc' })

type IncomingOptions = { withAccepted?: boolean | undefined; organization_ids?: readonly string[] }

export async function listIncoming(
  { accounts, db }: Deps,
  user_id: string,
  { withAccepted = false, organization_ids = [] }: IncomingOptions = {},
) {
  if (!rules.isVisibleTo(await accounts.loadAccount(user_id))) return []
  const open = ['awaiting_sender', 'awaiting_receiver'] as const
  const states = withAccepted ? [...open, 'accepted' as const] : open
  return (await transfers.findIncoming(db, user_id, organization_ids, states)).map(rules.show)
}

/** Lists the caller's incoming transfers, with those of organizations in which the caller accepts. */
export const listIncomingOf = (deps: Deps, caller: Principal, withAccepted?: boolean) =>
  listIncoming(deps, caller.user_id, {
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

/** The ids of a user's open transfers, in both directions. */
export async function listPendingIds({ db }: Deps, user: User): Promise<string[]> {
  const open = await transfers.findOpenOfUser(db, user.id)
  return open
    .filter(({ sender_id }) => sender_id === user.id || rules.isVisibleTo(user))
    .map(({ emoji_id }) => emoji_id)
}

async function pageOutgoing({ db }: Deps, sender_id: string, query: OutgoingQuery) {
  const { rows, total } = await transfers.findOutgoing(db, sender_id, query)
  return toPage(rows.map(rules.show), total, query)
}
