import { randomUUID } from 'node:crypto'
import { transact } from '../../platform/database/database.ts'
import type { Prepare } from '../../platform/database/prepared.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database } from '../../tables.ts'
import { assertScope, InvalidTokenError, type Principal, scopesOfRole } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'
import type { NewKey } from './schema.ts'
import type { ApiKey } from './table.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
}

const keysAtMost = 100

export function createApiKeys({ db, prepare, accounts, secondFactor, audit, now }: Options) {
  const findHolder = keys.findHolder(prepare)
  const shown = (key: ApiKey, api_key = rules.prefixOf(key.id)) => ({ ...key, api_key })
  const ownerFor = (caller: Principal, user_id: string | undefined) => {
    if (user_id !== undefined && user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
    return user_id ?? caller.user_id
  }
  accounts.whenDisowned(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  accounts.beforeDeletion(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))

  // Without a second factor nobody asks for codes: keys that were refused must not gain by that.
  secondFactor.whenRemoved(keys.limitAll)

  return {
    /** The only answer that ever holds the whole key. */
    async create(caller: Principal, body: NewKey, user_id: string | undefined) {
      if (user_id !== undefined && user_id !== caller.user_id) throw new rules.OthersKeyError()
      const scopes = rules.chooseScopes(caller, body.scopes)
      const expires_at = rules.chooseExpiry(caller, body.expires_at, now())
      const id = randomUUID()
      const api_key = rules.makeKey(id)
      return transact(db, async (trx) => {
        await accounts.loadToChange(trx, caller.user_id)
        const existing = await keys.findOfUser(trx, caller.user_id)
        if (existing.length >= keysAtMost) throw new rules.TooManyKeysError()
        const made = await keys.insert(trx, {
          ...{ id, user_id: caller.user_id, name: body.name, scopes, expires_at },
          ...{ token_sha256: rules.hashOf(api_key), created_at: now(), deleted_at: null },
          with_second_factor: caller.second_factor?.isFresh === true,
        })
        const details = { key: id, name: body.name, scopes }
        await audit.note(trx, 'api_key.created', { actor_id: caller.user_id, details })
        return shown(made, api_key)
      })
    },

    async list(caller: Principal, user_id: string | undefined) {
      const found = await keys.findOfUser(db, ownerFor(caller, user_id))
      return found.map((key) => shown(key))
    },

    async remove(caller: Principal, id: string) {
      if (!isUuid(id)) throw new rules.UnknownKeyError()
      return transact(db, async (trx) => {
        const removed = await keys.remove(trx, caller.user_id, id, now())
        if (!removed) throw new rules.UnknownKeyError()
        await audit.note(trx, 'api_key.deleted', { actor_id: caller.user_id, details: { key: id } })
        return shown(removed)
      })
    },

    /** Who holds this key: never more than they may themselves at this moment. */
    async verify(key: string): Promise<Principal> {
      const [holder] = rules.isKey(key) ? await findHolder([rules.hashOf(key), now()]) : []
      if (!holder) throw new InvalidTokenError()
      const { id, user_id, role, provider, is_fresh, memberships, expires_at } = holder
      const ofRole = scopesOfRole(role)
      return {
        ...{ kind: 'api_key', user_id, role, session_id: null, linked_at: null, expires_at },
        scopes: new Set(holder.scopes.filter((scope) => ofRole.has(scope))),
        memberships: new Map(Object.entries(memberships)),
        second_factor: provider && { provider, isFresh: is_fresh },
        key: { id, isLimited: holder.outlived_second_factor },
      }
    },
  }
}
