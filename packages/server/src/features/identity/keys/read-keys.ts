import type { Database, Transaction } from '../../../tables.ts'
import { unknownUser } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export const findKey = (from: Database | Transaction, pubkey: string) => keys.find(from, pubkey)

/** Public keys by user, oldest first. */
export async function findPubkeys(from: Database | Transaction, user_ids: readonly string[]) {
  const found = new Map(user_ids.map((id) => [id, [] as string[]]))
  if (user_ids.length === 0) return found
  for (const { pubkey, user_id } of await keys.findOfUsers(from, user_ids)) {
    found.get(user_id ?? '')?.push(pubkey)
  }
  return found
}

export async function listKeys({ db }: Deps, user_id: string): Promise<string[]> {
  return (await keys.findOfUsers(db, [user_id])).map(({ pubkey }) => pubkey)
}

export async function describeKey({ db }: Deps, user_id: string) {
  const own = await keys.findOwn(db, user_id)
  return own.map(({ pubkey, created_at, ...kept }) => {
    return { pubkey, state: rules.stateOf(kept), created_at }
  })
}

/** For callers who may read any user's keys. */
export async function listKeysOf(deps: Deps, user_id: string): Promise<string[]> {
  if (!(await keys.findUser(deps.db, user_id))) throw unknownUser()
  return listKeys(deps, user_id)
}
