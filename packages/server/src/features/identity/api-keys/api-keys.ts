import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { createKey } from './create-key.ts'
import type { Deps, Options } from './deps.ts'
import { listKeys } from './list-keys.ts'
import { removeKey, removeKeysOf } from './remove-key.ts'
import * as keys from './repository.ts'
import { verifyKey } from './verify-key.ts'

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

  return bindUseCases(deps, {
    createKey,
    listKeys,
    removeKey,
    verifyKey,
  })
}
