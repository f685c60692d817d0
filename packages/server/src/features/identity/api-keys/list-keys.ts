import { assertScope, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'
import type { ApiKey } from './table.ts'

export const showKey = (key: ApiKey, api_key = rules.prefixOf(key.id)) => ({ ...key, api_key })

export async function listKeys({ db }: Deps, caller: Principal, user_id: string | undefined) {
  const ownKeys = await keys.findOfUser(db, resolveOwner(caller, user_id))
  return ownKeys.map((key) => showKey(key))
}

function resolveOwner(caller: Principal, user_id: string | undefined) {
  if (user_id !== undefined && user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
  return user_id ?? caller.user_id
}
