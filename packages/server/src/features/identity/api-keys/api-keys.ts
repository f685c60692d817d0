import { randomUUID } from 'node:crypto'
import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { currentAgent, currentNetwork } from '../../../platform/request-id.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  assertBelow,
  assertScope,
  InvalidTokenError,
  inRole,
  isKeyScope,
  lacksSecondFactor,
  type Principal,
  type Scope,
  scopesOfRole,
} from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts, User } from '../accounts/accounts.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { ApiKey } from './repository.ts'
import * as keys from './repository.ts'
import type { NewKey } from './routes.ts'
import * as rules from './rules.ts'

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
}

type Deps = Options & {
  findHolder: ReturnType<typeof keys.findHolder>
}

export type ApiKeys = ReturnType<typeof createApiKeys>

export function createApiKeys(options: Options) {
  const { prepare, accounts, secondFactor } = options
  const findHolder = keys.findHolder(prepare)
  const deps: Deps = { ...options, findHolder }
  const bind = bindTo(deps)
  const removeAll = bind(removeKeysOf)
  accounts.whenDisowned(removeAll)
  accounts.whenRevoked(removeAll)
  accounts.beforeDeletion(removeAll)
  // Keys that lacked a code must not gain access when the second factor is removed.
  secondFactor.whenRemoved(keys.limitAll)

  return bindUseCases(deps, { createKey, listKeys, removeKey, verifyKey })
}

/** Returns the whole key; later responses hold only its prefix. */
async function createKey(deps: Deps, caller: Principal, body: NewKey, user_id = caller.user_id) {
  const { db, accounts } = deps
  if (user_id !== caller.user_id) return createKeyFor(deps, caller, body, user_id)
  const scopes = rules.chooseScopes(caller, body.scopes)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const with_second_factor = caller.second_factor?.isFresh === true
    const createdKey = await insertKey(deps, trx, caller, {
      ...body,
      user_id,
      scopes,
      with_second_factor,
    })
    const sentence = rules.createdSentence(body.name)
    const about = { event: 'api_key' } as const
    await accounts.notifyOwner(trx, user, 'An API key was created', sentence, about)
    return createdKey
  })
}

type OperatorKey = { name: string; scopes: readonly string[] }

/** Emails the owner the name and scopes of a key that an operator created. */
const notifyOfOperatorKey = (
  accounts: Accounts,
  trx: Transaction,
  owner: User,
  { name, scopes }: OperatorKey,
): Promise<void> =>
  accounts.notifyOwner(
    trx,
    owner,
    'An operator created an API key for your account',
    `An operator created the API key ${quote(name)} for your account, with these scopes: ${scopes.join(', ')}. You can delete it on your API keys page.`,
    { event: 'api_key' },
  )

/** Creates a key for another account and emails its owner. */
function createKeyFor(deps: Deps, caller: Principal, body: NewKey, user_id: string) {
  const { db, accounts } = deps
  return transact(db, async (trx) => {
    const actor = await accounts.loadCaller(trx, caller)
    const operator = inRole(caller, actor.role)
    assertScope(operator, 'adminUser:loginAs')
    const owner = await accounts.loadAccountToChange(trx, user_id)
    assertBelow(operator, owner)
    if (owner.deactivated_at) throw rules.inactiveOwner()
    const scopes = rules.chooseScopesFor(operator, scopesOfRole(owner.role), body.scopes)
    // The operator's second factor does not count as the owner's.
    const createdKey = await insertKey(deps, trx, operator, {
      ...body,
      user_id,
      scopes,
      with_second_factor: false,
    })
    await notifyOfOperatorKey(accounts, trx, owner, createdKey)
    return createdKey
  })
}

type KeyToInsert = Omit<NewKey, 'scopes'> & {
  user_id: string
  scopes: Scope[]
  with_second_factor: boolean
}

const keysAtMost = 100

/** The calling function has locked the account. */
async function insertKey(
  { now, audit }: Deps,
  trx: Transaction,
  caller: Principal,
  key: KeyToInsert,
) {
  const { user_id, name, scopes, with_second_factor } = key
  const expires_at = rules.readExpiry(key.expires_at, now())
  const existing = await keys.findOfUser(trx, user_id)
  if (existing.length >= keysAtMost) throw rules.tooManyKeys()
  const since = new Date(now().getTime() - rules.newKeysWithinMs)
  const recent = await keys.countSince(trx, user_id, since)
  if (recent >= rules.newKeysAtMost) throw rules.tooManyNewKeys()
  const id = randomUUID()
  const api_key = rules.makeKey(id)
  const newKey = await keys.insert(trx, {
    id,
    user_id,
    name,
    scopes,
    expires_at,
    with_second_factor,
    token_sha256: sha256(api_key),
    created_at: now(),
    deleted_at: null,
  })
  const entry = { actor_id: caller.user_id, subject_id: user_id }
  await audit.writeEntry(trx, 'api_key.created', { ...entry, details: { key: id, name, scopes } })
  return showKey(newKey, api_key)
}

const showKey = (key: ApiKey, api_key = rules.prefixOf(key.id)) => ({ ...key, api_key })

async function listKeys(
  { db, accounts }: Deps,
  caller: Principal,
  user_id: string = caller.user_id,
) {
  if (user_id !== caller.user_id) {
    assertScope(caller, 'adminUser:load')
    await accounts.loadAccount(user_id)
  }
  const shownKeys = await keys.findOfUser(db, user_id)
  return shownKeys.map((key) => showKey(key))
}

async function removeKey({ db, now, audit }: Deps, caller: Principal, id: string) {
  if (!isUuid(id)) throw rules.unknownKey()
  return transact(db, async (trx) => {
    const removedKey = await keys.remove(trx, caller.user_id, id, now())
    if (!removedKey) throw rules.unknownKey()
    await audit.writeEntry(trx, 'api_key.deleted', {
      actor_id: caller.user_id,
      details: { key: id },
    })
    return showKey(removedKey)
  })
}

/** A key never exceeds the current rights of its owner. */
async function verifyKey(deps: Deps, key: string): Promise<Principal> {
  const { findHolder, now, operatorsNeedCodes } = deps
  const [holder] = rules.isKey(key) ? await findHolder([sha256(key), now()]) : []
  if (!holder) throw new InvalidTokenError()
  await recordUse(deps, holder)
  const { id, user_id, epoch, role, provider, is_fresh, memberships, expires_at } = holder
  const ofRole = scopesOfRole(role)
  return {
    kind: 'api_key',
    user_id,
    epoch,
    role,
    session_id: null,
    linked_at: null,
    expires_at,
    scopes: new Set(holder.scopes.filter((scope) => ofRole.has(scope) || isKeyScope(scope))),
    memberships: new Map(Object.entries(memberships)),
    second_factor: provider && { provider, isFresh: is_fresh },
    isRecentLogin: false,
    lacksSecondFactor: operatorsNeedCodes && lacksSecondFactor(holder),
    key: { id, isLimited: holder.outlived_second_factor, scopes: new Set(holder.scopes) },
  }
}

/** Writes at most once a minute. */
async function recordUse(
  { now, db }: Deps,
  { id, last_used_at }: { id: string; last_used_at: Date | null },
) {
  const at = now()
  const before = new Date(at.getTime() - rules.lastUsePrecisionMs)
  if (last_used_at && last_used_at > before) return
  const use = {
    last_used_network: currentNetwork() || null,
    last_used_agent: rules.shownAgent(currentAgent()),
  }
  await keys.recordUse(db, id, use, at, before)
}

async function removeKeysOf({ now }: Deps, trx: Transaction, user_id: string): Promise<void> {
  await keys.removeAll(trx, user_id, now())
}
