import type { Database, Transaction } from '../../../tables.ts'
import { type Principal, unknownUser } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** The key that transfers to the organization name; null if it has none yet. */
export async function findKeyOfOrganization(from: Database | Transaction, organization_id: string) {
  const [first] = await keys.findOfOrganization(from, organization_id)
  return first?.pubkey ?? null
}

export const findKey = (from: Database | Transaction, pubkey: string) => keys.find(from, pubkey)

/** Public keys by user, oldest first. */
export async function findPubkeys(from: Database | Transaction, user_ids: readonly string[]) {
  const pubkeys = new Map(user_ids.map((id) => [id, [] as string[]]))
  if (user_ids.length === 0) return pubkeys
  for (const { pubkey, user_id } of await keys.findOfUsers(from, user_ids)) {
    pubkeys.get(user_id ?? '')?.push(pubkey)
  }
  return pubkeys
}

export async function listKeys({ db }: Deps, user_id: string): Promise<string[]> {
  return (await keys.findOfUsers(db, [user_id])).map(({ pubkey }) => pubkey)
}

export async function describeKey({ db }: Deps, user_id: string) {
  const own = await keys.findOwn(db, user_id)
  return own.map(({ pubkey, created_at, ...key }) => {
    return { pubkey, state: rules.stateOf(key), created_at }
  })
}

export async function listKeysOf(
  deps: Deps,
  caller: Principal,
  user_id: string,
): Promise<string[]> {
  const mayRead = user_id === caller.user_id || caller.scopes.has('userPubkeys:list')
  if (!mayRead) throw unknownUser()
  if (!(await keys.findUser(deps.db, user_id))) throw unknownUser()
  return listKeys(deps, user_id)
}
