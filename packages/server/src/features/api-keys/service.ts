import { randomUUID } from 'node:crypto'
import { transact } from '../../platform/database/database.ts'
import type { Prepare } from '../../platform/database/prepared.ts'
import { currentAgent, currentNetwork } from '../../platform/request-id.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  assertBelow,
  assertScope,
  InvalidTokenError,
  inRole,
  lacksSecondFactor,
  type Principal,
  type Scope,
  scopesOfRole,
} from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import { tellOfOperatorMadeKey } from './operator-made-key.ts'
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
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
}

const keysAtMost = 100

export function createApiKeys(options: Options) {
  const { db, prepare, accounts, secondFactor, audit, now, operatorsNeedCodes } = options
  const findHolder = keys.findHolder(prepare)
  const shown = (key: ApiKey, api_key = rules.prefixOf(key.id)) => ({ ...key, api_key })
  const ownerFor = (caller: Principal, user_id: string | undefined) => {
    if (user_id !== undefined && user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
    return user_id ?? caller.user_id
  }
  accounts.whenDisowned(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  accounts.whenRevoked(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  accounts.beforeDeletion(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))

  // Without a second factor nobody asks for codes: keys that were refused must not gain by that.
  secondFactor.whenRemoved(keys.limitAll)

  type Wanted = Omit<NewKey, 'scopes'> & {
    user_id: string
    scopes: Scope[]
    with_second_factor: boolean
  }
  /** For an account that is locked. */
  const make = async (trx: Transaction, caller: Principal, wanted: Wanted) => {
    const { user_id, name, scopes, with_second_factor } = wanted
    const expires_at = rules.chooseExpiry(caller, wanted.expires_at, now())
    const existing = await keys.findOfUser(trx, user_id)
    if (existing.length >= keysAtMost) throw new rules.TooManyKeysError()
    const since = new Date(now().getTime() - rules.madeWithinMs)
    const lately = await keys.countSince(trx, user_id, since)
    if (lately >= rules.madeAtMost) throw new rules.TooManyMadeError()
    const id = randomUUID()
    const api_key = rules.makeKey(id)
    const made = await keys.insert(trx, {
      id,
      user_id,
      name,
      scopes,
      expires_at,
      with_second_factor,
      token_sha256: rules.hashOf(api_key),
      created_at: now(),
      deleted_at: null,
    })
    const noted = { actor_id: caller.user_id, subject_id: user_id }
    await audit.note(trx, 'api_key.created', { ...noted, details: { key: id, name, scopes } })
    return shown(made, api_key)
  }
  /** A key gives access to the account, so its owner is mailed. */
  const createFor = (caller: Principal, body: NewKey, user_id: string) =>
    transact(db, async (trx) => {
      const actor = await accounts.loadToChange(trx, caller.user_id)
      const maker = inRole(caller, actor.role)
      assertScope(maker, 'adminUser:loginAs')
      const owner = await accounts.loadToChange(trx, user_id)
      assertBelow(maker, owner)
      if (owner.deactivated_at) throw new rules.InactiveOwnerError()
      const scopes = rules.chooseScopesFor(maker, scopesOfRole(owner.role), body.scopes)
      // The operator's code is not the owner's.
      const made = await make(trx, maker, { ...body, user_id, scopes, with_second_factor: false })
      await tellOfOperatorMadeKey(accounts, trx, owner, made)
      return made
    })

  /** One write a minute at most, however much a key is used. */
  const noteUse = async ({ id, last_used_at }: { id: string; last_used_at: Date | null }) => {
    const at = now()
    const before = new Date(at.getTime() - rules.usedToTheMs)
    if (last_used_at && last_used_at > before) return
    const from = {
      last_used_network: currentNetwork() || null,
      last_used_agent: rules.shownAgent(currentAgent()),
    }
    await keys.noteUse(db, id, from, at, before)
  }

  return {
    /** The only answer that ever holds the whole key. */
    async create(caller: Principal, body: NewKey, user_id = caller.user_id) {
      if (user_id !== caller.user_id) return createFor(caller, body, user_id)
      const scopes = rules.chooseScopes(caller, body.scopes)
      return transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, user_id)
        const with_second_factor = caller.second_factor?.isFresh === true
        const made = await make(trx, caller, { ...body, user_id, scopes, with_second_factor })
        const sentence = rules.madeSentence(body.name)
        const told = { told: 'api_key' } as const
        await accounts.tellToOwner(trx, user, 'An API key was made', sentence, told)
        return made
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
      await noteUse(holder)
      const { id, user_id, role, provider, is_fresh, memberships, expires_at } = holder
      const ofRole = scopesOfRole(role)
      return {
        kind: 'api_key',
        user_id,
        role,
        session_id: null,
        linked_at: null,
        expires_at,
        scopes: new Set(holder.scopes.filter((scope) => ofRole.has(scope))),
        memberships: new Map(Object.entries(memberships)),
        second_factor: provider && { provider, isFresh: is_fresh },
        isRecentLogin: false,
        lacksSecondFactor: operatorsNeedCodes && lacksSecondFactor(holder),
        key: { id, isLimited: holder.outlived_second_factor, scopes: new Set(holder.scopes) },
      }
    },
  }
}
