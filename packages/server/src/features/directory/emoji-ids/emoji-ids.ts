import type { EmojiId } from '@emojid/core'
import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import {
  announceAfterCommit,
  announceFreed,
  announceNotice,
  announceReset,
} from './announce-change.ts'
import { changeDisplay, changeOwner } from './change-owner.ts'
import { giveIds, grantHeldIds, grantId } from './grant-ids.ts'
import { holdIds, releaseHolds, sweepHolds } from './hold-ids.ts'
import { assertKeyOfBuyer, assertMayGiveTo, resolveKeyForBuyer } from './owner-keys.ts'
import {
  assertChangeable,
  findDisplayedIds,
  findId,
  findIdByToken,
  findIdsFrom,
  findIdsOfOrder,
  findIdToChange,
  findListEntry,
  findNewestIds,
  findOwners,
  findPartStarts,
  findPeopleBehind,
  findStatuses,
  findUsableIds,
  listIds,
  listIdsExtended,
  loadIdToChange,
  loadIdToWrite,
  lockIdsOfUser,
  lockIdsToRestore,
} from './read-ids.ts'
import { recordStates } from './record-events.ts'
import { refuseDeletionOfOwner } from './refuse-deletion.ts'
import { registerId } from './register-id.ts'
import { releaseAnyId, releaseOwnId, revokeId } from './release-id.ts'
import * as ids from './repository.ts'
import { exportReserved, listReserved, reserveIds, unreserveId } from './reserve-ids.ts'
import type * as rules from './rules.ts'

export { assertCanLeave } from './assert-can-leave.ts'
export {
  assertActive,
  assertMayWrite,
  assertNotBlocked,
  assertNotFrozen,
  assertNotMinted,
  assertNotSuspended,
  assertOneOwner,
  assertOwns,
  heldId,
  type IdStatus,
  idPage,
  isTheirs,
  listItem,
  mayBecomeMinted,
  missingOwner,
  notYours,
  type OwnedId,
  readEmojiId,
  readSpelling,
  suspendedId,
  takenId,
  UnregisteredError,
  uselessKey,
} from './rules.ts'
export { EmojiIdText, ExtendedList, IdLength, ListItem, Shape } from './schema.ts'

export type Watcher = { forget(id: EmojiId): void; clear(): void }

/** An action of another feature in the same transaction. */
export type IdListener = (trx: Transaction, id: EmojiId) => Promise<void>

/** An action of another feature before an id changes its owner, in the same transaction. */
export type OwnedIdListener = (trx: Transaction, ownedId: rules.OwnedId) => Promise<void>

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  accounts: Accounts
  organizations: Organizations
  keys: Keys
  removals: Removals
  audit: Audit
  events: Events
  now: () => Date
  /** How long an id that an operator released is not for sale. */
  restMs: number
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

/** Released clients load all ids of an owner in one request: 35 ms of CPU for a thousand. */
const listingRates = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 60_000, perSecond: 6_000 },
}

export type Deps = Options & {
  listings: Budget
  watchers: Watcher[]
  whenFreed: IdListener[]
  whenEmptied: IdListener[]
  beforeRelease: OwnedIdListener[]
  beforeOwnerChange: OwnedIdListener[]
}

export type EmojiIds = ReturnType<typeof createEmojiIds>

/** Ownership of ids: registration, holds, grants, releases. */
export function createEmojiIds(options: Options) {
  const { monitor, accounts } = options
  const watchers: Watcher[] = []
  const whenFreed: IdListener[] = []
  const whenEmptied: IdListener[] = []
  const beforeRelease: OwnedIdListener[] = []
  const beforeOwnerChange: OwnedIdListener[] = []
  const deps: Deps = {
    ...options,
    listings: createBudget('listings', listingRates),
    watchers,
    whenFreed,
    whenEmptied,
    beforeRelease,
    beforeOwnerChange,
  }
  const bind = bindTo(deps)
  // A trigger sends the notice, so no statement can skip it.
  monitor.listen('emoji_id_changed', bind(announceNotice), bind(announceReset))
  accounts.beforeDeletion(bind(refuseDeletionOfOwner))

  return {
    ...bindUseCases(deps, {
      announceAfterCommit,
      registerId,
      announceFreed,
      findId,
      changeDisplay,
      findPeopleBehind,
      listIds,
      listIdsExtended,
      findDisplayedIds,
      findUsableIds,
      findStatuses,
      holdIds,
      releaseHolds,
      grantHeldIds,
      assertKeyOfBuyer,
      assertMayGiveTo,
      resolveKeyForBuyer,
      changeOwner,
      findIdsOfOrder,
      findIdByToken,
      revokeId,
      sweepHolds,
      findNewestIds,
      findPartStarts,
      findIdsFrom,
      grantId,
      giveIds,
      recordStates,
      releaseOwnId,
      releaseAnyId,
      reserveIds,
      unreserveId,
      listReserved,
      exportReserved,
      findListEntry,
      assertChangeable,
      loadIdToWrite,
      lockIdsOfUser,
      lockIdsToRestore,
    }),
    loadIdToChange,
    findIdToChange,
    /** Adds a cache that is invalidated when an id changes. */
    watch: (watcher: Watcher) => void watchers.push(watcher),
    /** Adds an action that runs when an owned or held id becomes available. */
    whenFreed: (action: IdListener) => void whenFreed.push(action),
    /**
     * Adds an action that clears the data behind an id that is released, or transferred without its
     * records.
     */
    whenEmptied: (action: IdListener) => void whenEmptied.push(action),
    /** Adds a check that may refuse a release by the owner. */
    beforeRelease: (action: OwnedIdListener) => void beforeRelease.push(action),
    /** Adds an action that runs when an id changes owner, with or without its records. */
    beforeOwnerChange: (action: OwnedIdListener) => void beforeOwnerChange.push(action),
    findOwners,
    extendHolds: ids.setHolds,
    boxIds: ids.box,
    unboxIds: ids.unbox,
    lockIds: ids.findManyToChange,
    setToken: ids.setToken,
    /** Locks all ids of an order that still have an owner. */
    lockIdsOfOrder: ids.findOfOrderToChange,
    findOnList: ids.findOnList,
    /** Suspends locked ids, or restores them. */
    setSuspension: ids.setSuspension,
    /** Freezes locked ids, or unfreezes them. */
    setFrozen: ids.setFrozen,
  }
}

/** More than a service gives out in years, and a fraction of what a number in JSON can hold. */
const skippedAfterRestore = 1_000_000_000_000

/** For a restored database: no version and no token id is given twice. Returns the last version. */
export const skipVersions = (db: Database): Promise<number> =>
  ids.skipNumbers(db, skippedAfterRestore)

export const emojiIdJobs = (emojiIds: EmojiIds): JobModule => ({
  tasks: { 'emoji_ids.sweep': () => emojiIds.sweepHolds() },
  schedules: [{ task: 'emoji_ids.sweep', cron: '* * * * *' }],
})
