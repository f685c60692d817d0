import { assertScope, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import type { ApiKey } from './repository.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

export const showKey = (key: ApiKey, api_key = rules.prefixOf(key.id)) => ({ ...key, api_key })

export async function listKeys(
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
