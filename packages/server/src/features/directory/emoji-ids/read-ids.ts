import type { EmojiId } from '@emojid/core'
import { currentNetwork } from '../../../platform/request-id.ts'
import { mapInTurns } from '../../../platform/turns.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { unknownOrganization } from '../../identity/organizations/organizations.ts'
import { assertInOrganization, holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'
import type { OwnerQuery } from './schema.ts'

/**
 * `reserved` until the number of ids is known. `least` because `/account/load` takes 7 ms of CPU even
 * without ids.
 */
const costs = { reserved: 200, least: 40 }

export async function loadIdToChange(trx: Transaction, id: EmojiId) {
  const ownedId = await ids.findToChange(trx, id)
  if (!ownedId) throw new rules.UnregisteredError(id)
  return ownedId
}

export const findIdToChange = (trx: Transaction, id: EmojiId) => ids.findToChange(trx, id)

export const findId = ({ db }: Deps, id: EmojiId) => ids.find(db, id)

/** Refuses changes of a suspended id. */
export function assertChangeable(
  { appealsEmail }: Deps,
  { suspended_at }: Pick<rules.OwnedId, 'suspended_at'>,
): void {
  if (suspended_at) throw rules.suspendedForOwner(appealsEmail)
}

/**
 * Locks the ids of a user, and those of organizations without another active power role.
 */
export async function lockIdsOfUser({ organizations }: Deps, trx: Transaction, user_id: string) {
  const organizationIds = await organizations.listHeldAlone(trx, user_id)
  return ids.findOfOwnersToChange(trx, user_id, organizationIds)
}

/**
 * Locks the ids that were suspended with an account: those of the user, and those of the user's
 * organizations, also if they were suspended with another member. Returns the user's ids, and those
 * of organizations that have an active power role.
 */
export async function lockIdsToRestore({ organizations }: Deps, trx: Transaction, user_id: string) {
  const memberships = await organizations.listMemberships(trx, user_id)
  const organization_ids = memberships.map(({ organization_id }) => organization_id)
  const suspendedIds = await ids.findSuspendedWithToChange(trx, user_id, organization_ids)
  const withWriter = new Set(
    memberships.flatMap(({ organization_id, hasWriter }) => (hasWriter ? organization_id : [])),
  )
  return suspendedIds.filter(
    ({ organization_id }) => organization_id === null || withWriter.has(organization_id),
  )
}

/** Locks the id, if the caller may write to it. */
export async function loadIdToWrite(deps: Deps, trx: Transaction, caller: Principal, id: EmojiId) {
  // Transfers lock in the same order: the id, then accounts.
  const ownedId = await loadIdToChange(trx, id)
  await holdCaller(trx, caller)
  rules.assertMayWrite(caller, ownedId)
  assertChangeable(deps, ownedId)
  return ownedId
}

/** The owner of an id, or the power roles of its organization. */
export async function findPeopleBehind(
  { organizations }: Deps,
  trx: Database,
  { user_id, organization_id }: Pick<rules.OwnedId, 'user_id' | 'organization_id'>,
) {
  if (organization_id) return organizations.listWriters(trx, organization_id)
  return user_id ? [user_id] : []
}

/** The caller's ids, or another user's for callers who may read them. */
export async function listIds(deps: Deps, caller: Principal, query: OwnerQuery) {
  const { db, listings, accounts, organizations } = deps
  rules.assertMayList(caller, query)
  const { user_id = caller.user_id, organization_id } = query
  if (organization_id) {
    if (!(await organizations.findOrganization(db, organization_id))) throw unknownOrganization()
    assertInOrganization(caller, organization_id, 'organizationEmoji:list')
  } else if (user_id !== caller.user_id) await accounts.loadAccount(user_id)
  const ownedIds = await listings.spendOn(
    currentNetwork(),
    costs.reserved,
    () => ids.findOf(db, organization_id ? { organization_id } : { user_id }),
    ({ length }) => Math.max(length, costs.least),
  )
  return rules.visibleTo(caller, ownedIds)
}

/** The caller's ids with details. */
export async function listIdsExtended(deps: Deps, caller: Principal, query: OwnerQuery) {
  return mapInTurns(await listIds(deps, caller, query), rules.listItem)
}

export async function findDisplayedIds(
  { db }: Deps,
  user_ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = user_ids.length === 0 ? [] : await ids.findOfUsers(db, user_ids)
  return rules.displayedBy(user_ids, rows)
}

/** The ids that a user can present to others: without suspended ones. */
export async function findUsableIds({ db }: Deps, user_id: string): Promise<string[]> {
  const rows = await ids.findOfUsers(db, [user_id])
  return rows.flatMap(({ display_format, suspended_at }) => (suspended_at ? [] : display_format))
}

/** Owners and holds of ids; the caller's own holds do not count. */
export async function findStatuses(
  { db, now }: Deps,
  idsToFind: readonly EmojiId[],
  user_id?: string,
  from: Database = db,
) {
  if (idsToFind.length === 0) return rules.statusesOf([])
  return rules.statusesOf(await ids.findStatuses(from, idsToFind, user_id, now()))
}

/** Owners of those ids that are registered. */
export async function findOwners(from: Database, idsToFind: readonly EmojiId[]) {
  const ownedIds = idsToFind.length === 0 ? [] : await ids.findOwners(from, idsToFind)
  return new Map(ownedIds.map((row) => [row.emoji_id as EmojiId, row]))
}

export const findListEntry = ({ db }: Deps, id: EmojiId) => ids.findListEntry(db, id)

export const findIdsOfOrder = ({ db }: Deps, order_id: string) => ids.findOfOrder(db, order_id)

export const findIdByToken = ({ db }: Deps, token_id: number) => ids.findByToken(db, token_id)

/** All public ids in parts of one size, by the first id of each part. */
export const findPartStarts = async ({ db }: Deps, perPart: number, partsAtMost: number) =>
  (await ids.findPartStarts(db, perPart, partsAtMost)).map(({ emoji_id }) => emoji_id as EmojiId)

export const findIdsFrom = async ({ db }: Deps, start: string, limit: number) =>
  (await ids.findFrom(db, start, limit)).map(({ emoji_id }) => emoji_id as EmojiId)

export const findNewestIds = async ({ db }: Deps, limit: number) =>
  (await ids.findNewest(db, limit)).map(({ emoji_id }) => emoji_id as EmojiId)
