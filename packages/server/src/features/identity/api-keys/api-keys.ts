import { bindUseCases } from '../../../platform/bind.ts'
import { createKey } from './create-key.ts'
import type { Deps, Options } from './deps.ts'
import { listKeys } from './list-keys.ts'
import { removeKey } from './remove-key.ts'
import * as keys from './repository.ts'
import { verifyKey } from './verify-key.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

export function createApiKeys(options: Options) {
  const { prepare, accounts, now, secondFactor } = options
  const findHolder = keys.findHolder(prepare)
  const deps: Deps = { ...options, findHolder }
  accounts.whenDisowned(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  accounts.whenRevoked(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  accounts.beforeDeletion(async (trx, user_id) => void (await keys.removeAll(trx, user_id, now())))
  // Without a second factor nobody asks for codes: keys that were refused must not gain by that.
  secondFactor.whenRemoved(keys.limitAll)
  return bindUseCases(deps, {
    create: createKey,
    list: listKeys,
    remove: removeKey,
    verify: verifyKey,
  })
}
