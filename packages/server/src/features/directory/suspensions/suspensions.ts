import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import {
  type EmojiIds,
  type OwnedId,
  readEmojiId,
  UnregisteredError,
} from '../emoji-ids/emoji-ids.ts'
import * as suspensions from './repository.ts'
import type { SuspensionQuery, SuspensionState } from './routes.ts'
import * as rules from './rules.ts'

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  notifications: Notifications
  audit: Audit
  now: () => Date
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

/** Locked ids that are about to be suspended or restored. */
export type SuspensionChange = {
  owned: readonly OwnedId[]
  isSuspended: boolean
  actor_id: string
  reason: string
}

export type SuspensionListener = (trx: Transaction, change: SuspensionChange) => Promise<void>

type Deps = Options & { whenChanged: SuspensionListener[] }

export type Suspensions = ReturnType<typeof createSuspensions>

/** Suspended ids: operators take them down and restore them. */
export function createSuspensions(options: Options) {
  const whenChanged: SuspensionListener[] = []
  const deps: Deps = { ...options, whenChanged }
  return {
    ...bindUseCases(deps, {
      suspendId,
      suspendLockedId,
      restoreId,
      suspendIdsOfUser,
      restoreIdsOfUser,
      listSuspensions,
      showSuspension,
    }),
    /** Adds an action that runs before ids are suspended or restored, in the same transaction. */
    whenChanged: (action: SuspensionListener) => void whenChanged.push(action),
  }
}

/** Suspends one id. A second suspension changes nothing. */
function suspendId(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  reason: string,
): Promise<SuspensionState> {
  return changeState(deps, caller, id, (trx, ownedId) =>
    suspendLockedId(deps, trx, caller, ownedId, reason),
  )
}

/** Runs a change of one id under its lock; returns its new state. */
function changeState(
  { db, emojiIds }: Deps,
  caller: Principal,
  id: EmojiId,
  change: (trx: Transaction, ownedId: OwnedId) => Promise<unknown>,
): Promise<SuspensionState> {
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    await change(trx, ownedId)
    return showState(await emojiIds.loadIdToChange(trx, id))
  })
}

type SuspendedId = Pick<
  OwnedId,
  | 'emoji_id'
  | 'display_format'
  | 'suspended_at'
  | 'suspension_reason'
  | 'suspended_with_owner'
  | 'user_id'
  | 'organization_id'
>

const showState = (ownedId: SuspendedId): SuspensionState => ({
  emoji_id: ownedId.display_format,
  canonical_format: ownedId.emoji_id,
  suspended_at: ownedId.suspended_at,
  reason: ownedId.suspension_reason,
  with_owner: ownedId.suspended_with_owner,
  user_id: ownedId.user_id,
  organization_id: ownedId.organization_id,
})

/** Suspends an id that the caller's transaction has locked. */
async function suspendLockedId(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
  reason: string,
): Promise<void> {
  if (ownedId.suspended_at && !ownedId.suspended_with_owner) return
  rules.assertNotOwnId(caller, ownedId)
  const by = { actor_id: caller.user_id, reason }
  // The own suspension of an id outlasts that of its owner.
  if (ownedId.suspended_at) return suspendAgain(deps, trx, ownedId, by)
  const people = await deps.emojiIds.findPeopleBehind(trx, ownedId)
  await suspendIds(deps, trx, [ownedId], { ...by, people, withUser: null })
}

type SuspensionReason = {
  actor_id: string
  reason: string
  people: readonly string[]
  /** The person with whose account they are suspended. */
  withUser: string | null
}

async function suspendAgain(
  { emojiIds, audit }: Deps,
  trx: Transaction,
  { emoji_id, suspended_at, user_id }: OwnedId,
  { actor_id, reason }: Pick<SuspensionReason, 'actor_id' | 'reason'>,
) {
  const suspension = {
    suspended_at,
    suspension_reason: reason,
    suspended_with_owner: false,
    suspended_with_user: null,
    suspended_by: actor_id,
  }
  await emojiIds.setSuspension(trx, [emoji_id], suspension)
  const noted = { actor_id, subject_id: user_id, details: { emoji_id, reason } }
  await audit.writeEntry(trx, 'emoji_id.suspended', noted)
}

async function suspendIds(
  deps: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  by: SuspensionReason,
) {
  const { emojiIds, now } = deps
  const { actor_id, reason, people, withUser } = by
  await announceSuspension(deps, trx, { owned: ownedIds, isSuspended: true, actor_id, reason })
  const suspension = {
    suspended_at: now(),
    suspension_reason: reason,
    suspended_with_owner: withUser !== null,
    suspended_with_user: withUser,
    suspended_by: actor_id,
  }
  await emojiIds.setSuspension(
    trx,
    ownedIds.map(({ emoji_id }) => emoji_id),
    suspension,
  )
  await notifyOwners(deps, trx, ownedIds, people, { isSuspended: true, reason })
}

/**
 * The one place that reports suspended and restored ids: to other features before the change, to
 * the audit log, as events, and to the lookup cache after the commit.
 */
async function announceSuspension(
  { audit, emojiIds, whenChanged }: Deps,
  trx: Transaction,
  change: SuspensionChange,
): Promise<void> {
  const { owned, isSuspended, actor_id, reason } = change
  for (const action of whenChanged) await action(trx, change)
  await audit.writeEntries(
    trx,
    isSuspended ? 'emoji_id.suspended' : 'emoji_id.restored',
    actor_id,
    owned.map(({ emoji_id, user_id }) => ({ subject_id: user_id, details: { emoji_id, reason } })),
  )
  await emojiIds.recordStates(trx, isSuspended ? 'emoji_id.suspended' : 'emoji_id.restored', owned)
  for (const { emoji_id } of owned) emojiIds.announceAfterCommit(trx, emoji_id as EmojiId)
}

/** Emails the people behind the ids. */
async function notifyOwners(
  { accounts, notifications, appealsEmail }: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  people: readonly string[],
  { isSuspended, reason }: { isSuspended: boolean; reason: string },
): Promise<void> {
  if (people.length === 0) return
  const kind = isSuspended ? 'ids_suspended' : 'ids_restored'
  const write = isSuspended ? rules.idsSuspended : rules.idsRestored
  const news = {
    kind,
    page: '/account',
    letter: write(ownedIds, { reason, appeals: appealsEmail }),
  }
  for (const user of await accounts.findAccounts(trx, people)) {
    for (const { to, user_id } of await accounts.mailboxesFor(trx, user)) {
      await notifications.queueMail(trx, { to, user_id, ...news })
    }
  }
}

/** Restores one id. An id that is not suspended stays as it is. */
function restoreId(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  reason: string,
): Promise<SuspensionState> {
  return changeState(deps, caller, id, async (trx, ownedId) => {
    if (!ownedId.suspended_at) return
    rules.assertNotOwnId(caller, ownedId)
    const people = await deps.emojiIds.findPeopleBehind(trx, ownedId)
    await restoreIds(deps, trx, [ownedId], { actor_id: caller.user_id, reason, people })
  })
}

async function restoreIds(
  deps: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  { actor_id, reason, people }: { actor_id: string; reason: string; people: readonly string[] },
) {
  const { emojiIds } = deps
  await announceSuspension(deps, trx, { owned: ownedIds, isSuspended: false, actor_id, reason })
  await emojiIds.setSuspension(
    trx,
    ownedIds.map(({ emoji_id }) => emoji_id),
    {
      suspended_at: null,
      suspension_reason: null,
      suspended_with_owner: false,
      suspended_with_user: null,
      suspended_by: null,
    },
  )
  await notifyOwners(deps, trx, ownedIds, people, { isSuspended: false, reason })
}

/**
 * Suspends the ids of a user whose account is being deactivated, also those of organizations without
 * another active power role. The caller has locked the organizations.
 */
async function suspendIdsOfUser(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  by: { actor_id: string; reason: string },
): Promise<void> {
  const { emojiIds } = deps
  const ownedIds = await emojiIds.lockIdsOfUser(trx, user_id)
  const open = ownedIds.filter(({ suspended_at }) => !suspended_at)
  if (open.length > 0) {
    await suspendIds(deps, trx, open, { ...by, people: [user_id], withUser: user_id })
  }
}

/**
 * Restores the ids of a user whose account was activated, and those of the user's organizations that
 * have an active power role again. Only ids that were suspended with an account. The caller has
 * locked the organizations.
 */
async function restoreIdsOfUser(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  by: { actor_id: string; reason: string },
): Promise<void> {
  const { emojiIds } = deps
  const suspendedIds = await emojiIds.lockIdsToRestore(trx, user_id)
  if (suspendedIds.length > 0)
    await restoreIds(deps, trx, suspendedIds, { ...by, people: [user_id] })
}

async function listSuspensions({ accounts, db }: Deps, query: SuspensionQuery) {
  if (query.user_id !== undefined) await accounts.loadAccount(query.user_id)
  const { rows, total } = await suspensions.findPage(db, readSearchedId(query.q), query)
  const entries = rows.map((row) => ({
    ...showState(row),
    owner_email: row.owner_email,
    organization_name: row.organization_name,
    suspended_by: row.suspended_by,
    suspended_by_email: row.suspended_by_email,
  }))
  return toPage(entries, total, query)
}

/** The id that a search names in any spelling; null if it names none. */
function readSearchedId(text = ''): EmojiId | null {
  try {
    return readEmojiId(text)
  } catch {
    return null
  }
}

async function showSuspension({ emojiIds }: Deps, id: EmojiId) {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  return showState(ownedId)
}
