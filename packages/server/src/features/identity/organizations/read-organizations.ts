import { memberRoles } from '@emojid/core'
import { toPage } from '../../../platform/http/api/paging.ts'
import { deriveUuid, isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { assertMayInOrganization, assertMayReadOrganization, mayWriteIds } from './check-access.ts'
import type { Deps } from './organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { OrganizationQuery } from './schema.ts'

export async function loadOrganizationToChange(trx: Transaction, id: string) {
  const organization = await organizations.findToChange(trx, id)
  if (!organization) throw rules.unknownOrganization()
  return organization
}

/** Looks up the id first, so that no partner path shadows another organization. */
export async function findByPathOrId({ db }: Deps, text: string) {
  const byId = isUuid(text) ? await organizations.find(db, text) : undefined
  return byId ?? organizations.findByPath(db, text)
}

export async function showOrganization({ db, keys }: Deps, caller: Principal, id: string) {
  assertMayReadOrganization(caller, id)
  const organization = await organizations.find(db, id)
  if (!organization) throw rules.unknownOrganization()
  return { ...organization, pubkey: await keys.findKeyOfOrganization(db, id) }
}

export async function listOrganizations({ db }: Deps, query: OrganizationQuery) {
  const { rows, total } = await organizations.findPage(db, query)
  return toPage(rows, total, query)
}

export async function listMembers(deps: Deps, caller: Principal, id: string) {
  const { db } = deps
  assertMayInOrganization(caller, id, 'organizationUser:read')
  if (!(await organizations.find(db, id))) throw rules.unknownOrganization()
  return shownMembers(deps, caller, id, await organizations.findMembers(db, id))
}

type Member = Awaited<ReturnType<typeof organizations.findMembers>>[number]

/**
 * The members as the caller sees them. An organization does not learn the account and the address of
 * a person who did not accept; the id that it gets is good for this list only.
 */
export function shownMembers(
  { memberKey }: Deps,
  caller: Principal,
  id: string,
  members: readonly Member[],
): Member[] {
  const isShown = ({ user_id, accepted_at }: Member) =>
    accepted_at !== null || user_id === caller.user_id || caller.scopes.has('user:show')
  return members.map((member) =>
    isShown(member)
      ? member
      : { ...member, email: null, user_id: deriveUuid(memberKey, id, member.user_id) },
  )
}

/** The organizations in which no other active account may write ids, apart from removed people. */
export async function listHeldAlone(
  { removals }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<string[]> {
  const memberships = await organizations.findHeldWith(
    trx,
    user_id,
    memberRoles.filter(mayWriteIds),
  )
  const removedPeople = await removals.findRemoved(
    trx,
    memberships.flatMap(({ others }) => others),
  )
  return memberships
    .filter(({ others }) => others.every((other) => removedPeople.has(other)))
    .map(({ organization_id }) => organization_id)
}

/**
 * The organizations of a member, and whether an active account may write their ids, apart from
 * removed people.
 */
export async function listMemberships({ removals }: Deps, trx: Transaction, user_id: string) {
  const memberships = await organizations.findActiveWith(
    trx,
    user_id,
    memberRoles.filter(mayWriteIds),
  )
  const removedPeople = await removals.findRemoved(
    trx,
    memberships.flatMap(({ writers }) => writers),
  )
  return memberships.map(({ organization_id, writers }) => ({
    organization_id,
    hasWriter: writers.some((writer) => !removedPeople.has(writer)),
  }))
}

/** Whether only removed people may write the ids of an organization. */
export async function isHeldByBarred(
  { removals }: Deps,
  trx: Transaction,
  id: string,
): Promise<boolean> {
  const members = await organizations.findMembers(trx, id)
  const writers = members.filter(({ role }) => mayWriteIds(role))
  const removedPeople = await removals.findRemoved(
    trx,
    writers.map(({ user_id }) => user_id),
  )
  return (
    writers.length > 0 &&
    writers.every(
      ({ user_id, deactivated_at }) => deactivated_at !== null || removedPeople.has(user_id),
    )
  )
}

/** The members who may act for the ids of the organization. */
export async function listWriters(trx: Database, id: string): Promise<string[]> {
  const members = await organizations.findActiveMembers(trx, id)
  return members.filter(({ role }) => mayWriteIds(role)).map(({ user_id }) => user_id)
}
