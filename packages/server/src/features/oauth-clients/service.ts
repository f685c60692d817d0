import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Tables, Transaction } from '../../tables.ts'
import { isAdmin, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Throttle } from '../throttle/index.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'
import type { ClientChange, ClientQuery, NewClient } from './schema.ts'

export type OauthClients = ReturnType<typeof createOauthClients>
export type OauthClient = Tables['oauth_clients']

type Options = {
  db: Database
  organizations: Organizations
  throttle: Throttle
  audit: Audit
  now: () => Date
}
type Given = NewClient & { id: string; client_secret: string }

/** The applications in which people may log in with an emoji id. */
export function createOauthClients({ db, organizations, throttle, audit, now }: Options) {
  const withSecrets = async (from: Database | Transaction, found: readonly OauthClient[]) => {
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return []
    const secrets = await clients.findSecrets(from, ids)
    const owners = await clients.findOrganizations(
      from,
      found.map(({ organization_id }) => organization_id),
    )
    const names = new Map(owners.map(({ id, name }) => [id, name]))
    return found.map(({ id, ...client }) => ({
      client_id: id,
      ...client,
      organization_name: names.get(client.organization_id) ?? '',
      secrets: secrets.filter(({ client_id }) => client_id === id),
    }))
  }
  const shown = async (from: Database | Transaction, client: OauthClient) => {
    const [one] = await withSecrets(from, [client])
    if (!one) throw new rules.UnknownClientError()
    return one
  }
  /** To others than administrators and members of its organization there is none. */
  const assertKnown = (caller: Principal, client: OauthClient | undefined): OauthClient => {
    if (!client) throw new rules.UnknownClientError()
    const mayKnow = isAdmin(caller) || caller.memberships.has(client.organization_id)
    if (!mayKnow) throw new rules.UnknownClientError()
    return client
  }
  const loadToChange = async (trx: Transaction, caller: Principal, id: string) => {
    const client = assertKnown(caller, await clients.findToChange(trx, id))
    organizations.assertMay(caller, client.organization_id, 'organization:admin')
    return client
  }
  const note = (
    trx: Transaction,
    event: Parameters<Audit['note']>[1],
    actor_id: string | null,
    details: object,
  ) => audit.note(trx, event, { actor_id, details: { ...details } })

  /** In a transaction of the caller; nothing when the id is taken. */
  const make = async (trx: Transaction, given: Given, actor_id: string | null = null) => {
    const { id, client_secret, organization_id, name, redirect_uris, logo, reason } = given
    rules.assertAddresses(given)
    await organizations.load(trx, organization_id)
    const at = now()
    const made = await clients.insert(trx, {
      id,
      organization_id,
      name: name.trim(),
      redirect_uris,
      logo: logo || null,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    })
    if (!made) return undefined
    const secret_sha256 = rules.hashOf(client_secret)
    await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: at })
    const details = { client_id: id, name, redirect_uris, reason }
    await note(trx, 'application.created', actor_id, details)
    return { ...(await shown(trx, made)), client_secret }
  }

  return {
    make,
    find: (id: string, from: Database | Transaction = db) => clients.find(from, id),

    async create(caller: Principal, given: NewClient) {
      const { organization_id } = given
      organizations.assertMay(caller, organization_id, 'organization:admin')
      const named = { ...given, id: rules.makeId(), client_secret: rules.makeSecret() }
      const made = await transact(db, async (trx) => {
        if (!caller.scopes.has('organization:admin')) {
          // Locked, so that many at once are counted too.
          await organizations.load(trx, organization_id)
          rules.assertRoomFor(await clients.countOf(trx, organization_id))
        }
        return make(trx, named, caller.user_id)
      })
      if (!made) throw new Error('Two applications got the same random id')
      return made
    },

    async list(caller: Principal, query: ClientQuery) {
      if (query.organization_id) organizations.assertMayRead(caller, query.organization_id)
      else rules.assertSeesAll(caller)
      const { rows, total } = await clients.findPage(db, query)
      return toPage(await withSecrets(db, rows), total, query)
    },

    async load(caller: Principal, id: string) {
      const client = assertKnown(caller, await clients.find(db, id))
      organizations.assertMayRead(caller, client.organization_id)
      return shown(db, client)
    },

    async change(caller: Principal, id: string, change: ClientChange) {
      rules.assertAddresses(change)
      const { name, redirect_uris, logo } = change
      return transact(db, async (trx) => {
        await loadToChange(trx, caller, id)
        const changed = await clients.update(trx, id, {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(redirect_uris === undefined ? {} : { redirect_uris }),
          ...(logo === undefined ? {} : { logo: logo || null }),
          updated_at: now(),
        })
        await note(trx, 'application.changed', caller.user_id, { client_id: id, ...change })
        return shown(trx, changed)
      })
    },

    /** Whatever people granted it works no more. */
    async remove(caller: Principal, id: string, reason?: string): Promise<void> {
      await transact(db, async (trx) => {
        await loadToChange(trx, caller, id)
        await clients.update(trx, id, { deleted_at: now() })
        await clients.removeSecrets(trx, id)
        await note(trx, 'application.deleted', caller.user_id, { client_id: id, reason })
      })
    },

    /** A second one, so that the application can change to it while the first still works. */
    async addSecret(caller: Principal, id: string, reason?: string) {
      const client_secret = rules.makeSecret()
      return transact(db, async (trx) => {
        const client = await loadToChange(trx, caller, id)
        const existing = await clients.findSecrets(trx, [id])
        if (existing.length >= rules.secretsAtMost) throw new rules.TooManySecretsError()
        const secret_sha256 = rules.hashOf(client_secret)
        await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: now() })
        await note(trx, 'application.secret_made', caller.user_id, { client_id: id, reason })
        return { ...(await shown(trx, client)), client_secret }
      })
    },

    async removeSecret(caller: Principal, id: string, secret_id: string, reason?: string) {
      return transact(db, async (trx) => {
        const client = await loadToChange(trx, caller, id)
        const existing = await clients.findSecrets(trx, [id])
        if (!existing.some((secret) => secret.id === secret_id)) {
          throw new rules.UnknownSecretError()
        }
        if (existing.length === 1) throw new rules.LastSecretError()
        await clients.removeSecret(trx, secret_id)
        const details = { client_id: id, secret_id, reason }
        await note(trx, 'application.secret_deleted', caller.user_id, details)
        return shown(trx, client)
      })
    },

    /** The application, if that is its secret; unknown ones take as long as wrong secrets. */
    async authenticate(id: string, secret: string, address: string) {
      const secrets = await clients.findSecrets(db, [id])
      const isKnown = secrets.length > 0
      const subject = isKnown ? rules.secretSubject(id, address) : rules.guessSubject(address)
      await throttle.assertOpen(subject)
      const hashes = secrets.map(({ secret_sha256 }) => secret_sha256)
      const client = rules.isOneOf(secret, hashes) ? await clients.find(db, id) : undefined
      if (!client) await throttle.noteFailure(subject)
      return client
    },
  }
}
