import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import {
  assertBelow,
  assertScope,
  inRole,
  type Principal,
  type Scope,
  scopesOfRole,
} from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { showKey } from './list-keys.ts'
import { notifyOfOperatorKey } from './notify-operator-key.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'
import type { NewKey } from './schema.ts'

const keysAtMost = 100

type KeyToInsert = Omit<NewKey, 'scopes'> & {
  user_id: string
  scopes: Scope[]
  with_second_factor: boolean
}

/** Returns the whole key; later responses hold only its prefix. */
export async function createKey(
  deps: Deps,
  caller: Principal,
  body: NewKey,
  user_id = caller.user_id,
) {
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
    const about = { told: 'api_key' } as const
    await accounts.notifyOwner(trx, user, 'An API key was created', sentence, about)
    return createdKey
  })
}

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
