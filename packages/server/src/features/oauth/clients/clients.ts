import { clientSecretsAtMost } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import {
  type Organizations,
  unknownOrganization,
} from '../../identity/organizations/organizations.ts'
import type { Throttle } from '../../identity/throttle/throttle.ts'
import { holdCaller, isAdmin, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import * as clients from './repository.ts'
import type { ClientChange, ClientQuery, NewClient } from './routes.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  throttle: Throttle
  audit: Audit
  now: () => Date
}

export type Clients = ReturnType<typeof createClients>

/** OAuth clients: the applications that users sign in to with an emoji id. */
export function createClients(deps: Deps) {
  const { db } = deps

  return {
    ...bindUseCases(deps, {
      insertClient,
      createClient,
      listClients,
      loadClient,
      changeClient,
      deleteClient,
      addSecret,
      removeSecret,
      authenticateClient,
    }),
    findClient: (id: string, from: Database = db) => clients.find(from, id),
  }
}

type ClientToInsert = NewClient & { id: string; client_secret: string }

const auditClient = (
  { audit }: Deps,
  trx: Transaction,
  event: Parameters<Audit['writeEntry']>[1],
  actor_id: string | null,
  details: object,
) => audit.writeEntry(trx, event, { actor_id, details: { ...details } })

/** Returns undefined if the id is taken. */
async function insertClient(
  deps: Deps,
  trx: Transaction,
  client: ClientToInsert,
  actor_id: string | null = null,
) {
  const { organizations, now } = deps
  const { id, client_secret, organization_id, name, redirect_uris, logo, reason } = client
  rules.assertAddresses(client)
  await organizations.loadOrganizationToChange(trx, organization_id)
  const at = now()
  const newClient = await clients.insert(trx, {
    id,
    organization_id,
    name: name.trim(),
    redirect_uris,
    logo: logo || null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  })
  if (!newClient) return undefined
  const secret_sha256 = sha256(client_secret)
  await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: at })
  const details = { client_id: id, name, redirect_uris, reason }
  await auditClient(deps, trx, 'application.created', actor_id, details)
  return { ...(await showClient(trx, newClient)), client_secret }
}

export type OauthClient = Tables['oauth_clients']

async function showClient(from: Database, client: OauthClient) {
  const [one] = await showClients(from, [client])
  if (!one) throw rules.unknownClient()
  return one
}

async function showClients(from: Database, rows: readonly OauthClient[]) {
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

type News = Parameters<typeof rules.newsSentence>[1]

/** Emails the owners, because an intruder could redirect the sign-ins of users. */
const notifyOwners = (
  { organizations }: Deps,
  trx: Transaction,
  { name, organization_id }: Pick<OauthClient, 'name' | 'organization_id'>,
  news: News,
) =>
  organizations.notifyOwners(
    trx,
    organization_id,
    'An application of your organization changed',
    rules.newsSentence(name, news),
  )

async function createClient(deps: Deps, caller: Principal, client: NewClient) {
  const { organizations, db } = deps
  const { organization_id } = client
  organizations.assertMayInOrganization(caller, organization_id, 'organization:admin')
  const withId = { ...client, id: rules.makeId(), client_secret: rules.makeSecret() }
  const createdClient = await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    if (!caller.scopes.has('organization:admin')) {
      // The lock keeps concurrent requests from exceeding the limit together.
      await organizations.loadOrganizationToChange(trx, organization_id)
      rules.assertRoomFor(await clients.countOf(trx, organization_id))
    }
    const newClient = await insertClient(deps, trx, withId, caller.user_id)
    if (newClient) await notifyOwners(deps, trx, newClient, 'created')
    return newClient
  })
  if (!createdClient) throw new Error('The random client id is taken')
  return createdClient
}

async function listClients({ organizations, db }: Deps, caller: Principal, query: ClientQuery) {
  const { organization_id } = query
  if (organization_id) organizations.assertMayReadOrganization(caller, organization_id)
  else rules.assertSeesAll(caller)
  const isKnown = !organization_id || (await organizations.findOrganization(db, organization_id))
  if (!isKnown) throw unknownOrganization()
  const { rows, total } = await clients.findPage(db, query)
  return toPage(await showClients(db, rows), total, query)
}

async function loadClient({ db, organizations }: Deps, caller: Principal, id: string) {
  const client = assertMayKnow(caller, await clients.find(db, id))
  organizations.assertMayReadOrganization(caller, client.organization_id)
  return showClient(db, client)
}

/** Hides a client from everyone except administrators and members of its organization. */
function assertMayKnow(caller: Principal, client: OauthClient | undefined): OauthClient {
  if (!client) throw rules.unknownClient()
  const mayKnow = isAdmin(caller) || caller.memberships.has(client.organization_id)
  if (!mayKnow) throw rules.unknownClient()
  return client
}

async function changeClient(deps: Deps, caller: Principal, id: string, change: ClientChange) {
  const { db, now } = deps
  rules.assertAddresses(change)
  const { name, redirect_uris, logo } = change
  return transact(db, async (trx) => {
    const before = await loadClientToChange(deps, trx, caller, id)
    const changedClient = await clients.update(trx, id, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(redirect_uris === undefined ? {} : { redirect_uris }),
      ...(logo === undefined ? {} : { logo: logo || null }),
      updated_at: now(),
    })
    await auditClient(deps, trx, 'application.changed', caller.user_id, {
      client_id: id,
      ...change,
    })
    if (redirect_uris && !rules.isSameList(before.redirect_uris, redirect_uris)) {
      await notifyOwners(deps, trx, changedClient, { redirect_uris })
    }
    return showClient(trx, changedClient)
  })
}

async function loadClientToChange(
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

/** Deletes a client, which invalidates its grants. */
async function deleteClient(
  deps: Deps,
  caller: Principal,
  id: string,
  reason?: string,
): Promise<void> {
  const { db, now } = deps
  await transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    await clients.update(trx, id, { deleted_at: now() })
    await clients.removeSecrets(trx, id)
    await auditClient(deps, trx, 'application.deleted', caller.user_id, { client_id: id, reason })
    await notifyOwners(deps, trx, client, 'deleted')
  })
}

/** Adds a second secret for rotation: the first one stays valid until it is deleted. */
async function addSecret(deps: Deps, caller: Principal, id: string, reason?: string) {
  const { db, now } = deps
  const client_secret = rules.makeSecret()
  return transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    const existing = await clients.findSecrets(trx, [id])
    if (existing.length >= clientSecretsAtMost) throw rules.tooManySecrets()
    const secret_sha256 = sha256(client_secret)
    await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: now() })
    await auditClient(deps, trx, 'application.secret_made', caller.user_id, {
      client_id: id,
      reason,
    })
    await notifyOwners(deps, trx, client, 'secret_made')
    return { ...(await showClient(trx, client)), client_secret }
  })
}

async function removeSecret(
  deps: Deps,
  caller: Principal,
  id: string,
  secret_id: string,
  reason?: string,
) {
  const { db } = deps
  return transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    const existing = await clients.findSecrets(trx, [id])
    if (!existing.some((secret) => secret.id === secret_id)) {
      throw rules.unknownSecret()
    }
    if (existing.length === 1) throw rules.lastSecret()
    await clients.removeSecret(trx, secret_id)
    const details = { client_id: id, secret_id, reason }
    await auditClient(deps, trx, 'application.secret_deleted', caller.user_id, details)
    await notifyOwners(deps, trx, client, 'secret_deleted')
    return showClient(trx, client)
  })
}

/** Returns the client if the secret is right; takes as long for an unknown client. */
async function authenticateClient(
  { db, throttle }: Deps,
  id: string,
  secret: string,
  address: string,
) {
  const secrets = await clients.findSecrets(db, [id])
  const isKnown = secrets.length > 0
  const subject = isKnown ? rules.secretSubject(id, address) : rules.guessSubject(address)
  await throttle.assertNotBlocked(subject)
  const hashes = secrets.map(({ secret_sha256 }) => secret_sha256)
  const client = rules.isOneOf(secret, hashes) ? await clients.find(db, id) : undefined
  if (!client) await throttle.countFailure(subject)
  return client
}
