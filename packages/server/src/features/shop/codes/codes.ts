import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { activateCode } from './activate-code.ts'
import { changeCode, removeCode } from './change-code.ts'
import { findUsableCodes } from './check-code.ts'
import { addPubkey, listPubkey, revokePubkey } from './code-keys.ts'
import { countAttempt } from './count-attempt.ts'
import { createCode, insertCode } from './create-code.ts'
import type { Deps } from './deps.ts'
import { countUses, findCode, findCodeNames, listCodes, listCodeUses } from './read-codes.ts'
import * as codes from './repository.ts'
import { countCodes, releaseCodes, reserveCode, reserveCodesAgain } from './reserve-code.ts'
import * as rules from './rules.ts'

export type { Code } from './repository.ts'
export { rewrapCodes, sealCodes } from './seal-code.ts'

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
      findCodeNames,
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
