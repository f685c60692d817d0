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
import { tellOfOperatorMadeKey } from './operator-made-key.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'
import type { NewKey } from './schema.ts'

const keysAtMost = 100

type Wanted = Omit<NewKey, 'scopes'> & {
  user_id: string
  scopes: Scope[]
  with_second_factor: boolean
}

/** No later answer holds the whole key. */
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
    const made = await insertKey(deps, trx, caller, {
      ...body,
      user_id,
      scopes,
      with_second_factor,
    })
    const sentence = rules.madeSentence(body.name)
    const told = { told: 'api_key' } as const
    await accounts.notifyOwner(trx, user, 'An API key was made', sentence, told)
    return made
  })
}

/** The account is locked by the caller. */
async function insertKey(
  { now, audit }: Deps,
  trx: Transaction,
  caller: Principal,
  wanted: Wanted,
) {
  const { user_id, name, scopes, with_second_factor } = wanted
  const expires_at = rules.chooseExpiry(caller, wanted.expires_at, now())
  const existing = await keys.findOfUser(trx, user_id)
  if (existing.length >= keysAtMost) throw rules.tooManyKeys()
  const since = new Date(now().getTime() - rules.madeWithinMs)
  const lately = await keys.countSince(trx, user_id, since)
  if (lately >= rules.madeAtMost) throw rules.tooManyMade()
  const id = randomUUID()
  const api_key = rules.makeKey(id)
  const made = await keys.insert(trx, {
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
  const noted = { actor_id: caller.user_id, subject_id: user_id }
  await audit.writeEntry(trx, 'api_key.created', { ...noted, details: { key: id, name, scopes } })
  return showKey(made, api_key)
}

/** A key gives access to the account, so its owner is mailed. */
function createKeyFor(deps: Deps, caller: Principal, body: NewKey, user_id: string) {
  const { db, accounts } = deps
  return transact(db, async (trx) => {
    const actor = await accounts.loadCaller(trx, caller)
    const maker = inRole(caller, actor.role)
    assertScope(maker, 'adminUser:loginAs')
    const owner = await accounts.loadAccountToChange(trx, user_id)
    assertBelow(maker, owner)
    if (owner.deactivated_at) throw rules.inactiveOwner()
    const scopes = rules.chooseScopesFor(maker, scopesOfRole(owner.role), body.scopes)
    // A code that the operator gave does not count as the owner's.
    const made = await insertKey(deps, trx, maker, {
      ...body,
      user_id,
      scopes,
      with_second_factor: false,
    })
    await tellOfOperatorMadeKey(accounts, trx, owner, made)
    return made
  })
}
