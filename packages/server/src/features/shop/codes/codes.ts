import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Throttle } from '../../identity/throttle/throttle.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import { activateCode } from './activate-code.ts'
import { changeCode, removeCode } from './change-code.ts'
import { findUsableCodes } from './check-code.ts'
import { addPubkey, listPubkey, revokePubkey } from './code-keys.ts'
import { countAttempt } from './count-attempt.ts'
import { createCode, insertCode } from './create-code.ts'
import { countUses, findCode, listCodes, listCodeUses, nameOf } from './read-codes.ts'
import * as codes from './repository.ts'
import { countCodes, releaseCodes, reserveCode, reserveCodesAgain } from './reserve-code.ts'
import * as rules from './rules.ts'

export type { Code } from './repository.ts'
export { rewrapCodes } from './seal-code.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  audit: Audit
  keys: Keys
  organizations: Organizations
  throttle: Throttle
  sealer: Sealer
  now: () => Date
  /** When the weak signatures of released clients are no longer accepted. */
  legacyUntil: Date
}

export type Codes = ReturnType<typeof createCodes>

/** Promo codes: terms, uses, and the keys that activate them. */
export function createCodes(deps: Deps) {
  const bind = bindTo(deps)
  return {
    ...bindUseCases(deps, {
      insertCode,
      listPubkey,
      listCodes,
      listCodeUses,
      createCode,
      changeCode,
      removeCode,
      addPubkey,
      revokePubkey,
      reserveCode,
      findUsableCodes,
      reserveCodesAgain,
      nameOf,
      countCodes,
      activateCode,
    }),
    discountsOf: rules.discountsOf,
    findCode,
    countUses,
    countAttempt: bind(countAttempt),
    releaseCodes,
    /** Returns false if the code is not on the order. */
    releaseCode: codes.removeUse,
    /** The codes of an order, the first used first. */
    findCodesOnOrder: codes.findOnOrder,
  }
}
