import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { activateCode } from './activate-code.ts'
import { changeCode, removeCode } from './change-code.ts'
import { addPubkey, listPubkey, revokePubkey } from './code-keys.ts'
import { createCode, insertCode } from './create-code.ts'
import type { Deps } from './deps.ts'
import { countUses, findCode, findCodeNames, listCodes } from './read-codes.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import {
  countAttempt,
  countCodes,
  findUsableCodes,
  releaseCodes,
  reserveCode,
  reserveCodesAgain,
} from './use-code.ts'

export type Codes = ReturnType<typeof createCodes>

export function createCodes(deps: Deps) {
  const bind = bindTo(deps)
  return {
    ...bindUseCases(deps, {
      insertCode,
      listPubkey,
      listCodes,
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
    /** The buyer takes a code off: its use is for others again. Tells `false` if it is not there. */
    releaseCode: codes.removeUse,
    /** The codes of an order, the first used first. */
    findCodesOnOrder: codes.findOnOrder,
  }
}
