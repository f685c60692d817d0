import { toPage } from '../../../platform/http/paging.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertMayInOrganization, assertMayReadOrganization, mayWriteIds } from './check-access.ts'
import type { Deps } from './deps.ts'
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

export async function showOrganization({ db }: Deps, caller: Principal, id: string) {
  assertMayReadOrganization(caller, id)
  const organization = await organizations.find(db, id)
  if (!organization) throw rules.unknownOrganization()
  return organization
}

export async function listOrganizations({ db }: Deps, query: OrganizationQuery) {
  const { rows, total } = await organizations.findPage(db, query)
  return toPage(rows, total, query)
}

export async function listMembers({ db }: Deps, caller: Principal, id: string) {
  assertMayInOrganization(caller, id, 'organizationUser:read')
  if (!(await organizations.find(db, id))) throw rules.unknownOrganization()
  return organizations.findMembers(db, id)
}

/** The members who may act for the ids of the organization. */
export async function listWriters(trx: Database | Transaction, id: string): Promise<string[]> {
  const members = await organizations.findActiveMembers(trx, id)
  return members.filter(({ role }) => mayWriteIds(role)).map(({ user_id }) => user_id)
}
