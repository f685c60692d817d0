import { toPage } from '../../../platform/http/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import { unknownOrganization } from '../../identity/organizations/organizations.ts'
import { holdCaller, isAdmin, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'
import type { ClientQuery } from './schema.ts'

export type OauthClient = Tables['oauth_clients']

export async function showClient(from: Database | Transaction, client: OauthClient) {
  const [one] = await showClients(from, [client])
  if (!one) throw rules.unknownClient()
  return one
}

export async function loadClientToChange(
  { organizations }: Deps,
  trx: Transaction,
  caller: Principal,
  id: string,
) {
  await holdCaller(trx, caller)
  const client = assertMayKnow(caller, await clients.findToChange(trx, id))
  organizations.assertMayInOrganization(caller, client.organization_id, 'organization:admin')
  return client
}

export async function listClients(
  { organizations, db }: Deps,
  caller: Principal,
  query: ClientQuery,
) {
  const { organization_id } = query
  if (organization_id) organizations.assertMayReadOrganization(caller, organization_id)
  else rules.assertSeesAll(caller)
  const isKnown = !organization_id || (await organizations.findOrganization(db, organization_id))
  if (!isKnown) throw unknownOrganization()
  const { rows, total } = await clients.findPage(db, query)
  return toPage(await showClients(db, rows), total, query)
}

export async function loadClient({ db, organizations }: Deps, caller: Principal, id: string) {
  const client = assertMayKnow(caller, await clients.find(db, id))
  organizations.assertMayReadOrganization(caller, client.organization_id)
  return showClient(db, client)
}

async function showClients(from: Database | Transaction, rows: readonly OauthClient[]) {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const secrets = await clients.findSecrets(from, ids)
  const owners = await clients.findOrganizations(
    from,
    rows.map(({ organization_id }) => organization_id),
  )
  const names = new Map(owners.map(({ id, name }) => [id, name]))
  return rows.map(({ id, ...client }) => ({
    client_id: id,
    ...client,
    organization_name: names.get(client.organization_id) ?? '',
    secrets: secrets.filter(({ client_id }) => client_id === id),
  }))
}

/** Hides a client from everyone except administrators and members of its organization. */
function assertMayKnow(caller: Principal, client: OauthClient | undefined): OauthClient {
  if (!client) throw rules.unknownClient()
  const mayKnow = isAdmin(caller) || caller.memberships.has(client.organization_id)
  if (!mayKnow) throw rules.unknownClient()
  return client
}
