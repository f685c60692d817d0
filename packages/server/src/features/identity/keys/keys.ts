import { bindUseCases } from '../../../platform/bind.ts'
import { addKey, proveKey } from './add-key.ts'
import { isSignedBy, isWeaklySignedBy } from './check-signature.ts'
import { createCustodialKey, generateKey, loadKeyOfOrganization } from './create-key.ts'
import type { Deps, KeyGuard, Options } from './deps.ts'
import {
  describeKey,
  findKey,
  findKeyOfOrganization,
  findPubkeys,
  listKeys,
  listKeysOf,
} from './read-keys.ts'
import * as keys from './repository.ts'
import { signText, signTexts } from './sign-text.ts'

export { rewrapKeys } from './rewrap-keys.ts'
export { isSettled, readPubkey } from './rules.ts'

export type Keys = ReturnType<typeof createKeys>

/** The only place that creates and unseals private keys. No operation returns one. */
export function createKeys(options: Options) {
  const beforeAdded: KeyGuard[] = []
  const deps: Deps = { ...options, beforeAdded }
  return {
    ...bindUseCases(deps, {
      createCustodialKey,
      listKeys,
      describeKey,
      listKeysOf,
      loadKeyOfOrganization,
      generateKey,
      addKey,
      proveKey,
      signText,
      signTexts,
    }),
    beforeAdded: (action: KeyGuard) => void beforeAdded.push(action),
    findKey,
    findKeyOfOrganization,
    /** Removes keys whose private key is elsewhere. */
    removeForeignKeys: keys.removeForeign,
    findPubkeys,
    isSignedBy,
    isWeaklySignedBy,
  }
}
