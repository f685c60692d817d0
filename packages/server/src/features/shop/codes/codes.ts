import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { activateCode } from './activate-code.ts'
import { changeCode, removeCode } from './change-code.ts'
import { addPubkey, listPubkey, revokePubkey } from './code-keys.ts'
import { createCode, insertCode } from './create-code.ts'
import type { Deps } from './deps.ts'
import { countUses, findCode, findNames, listCodes } from './read-codes.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import {
  countAttempt,
  countCodes,
  findUsableNow,
  releaseCodes,
  reserveCode,
  reserveCodesAgain,
} from './use-code.ts'

export type Codes = ReturnType<typeof createCodes>

export function createCodes(deps: Deps) {
  const bind = bindTo(deps)
  return {
    ...bindUseCases(deps, {
      make: insertCode,
      listPubkey,
      list: listCodes,
      create: createCode,
      change: changeCode,
      remove: removeCode,
      addPubkey,
      revokePubkey,
      reserve: reserveCode,
      usableNow: findUsableNow,
      reserveAgain: reserveCodesAgain,
      namesOf: findNames,
      count: countCodes,
      activate: activateCode,
    }),
    discountsOf: rules.discountsOf,
    find: findCode,
    countOf: countUses,
    attempt: bind(countAttempt),
    release: releaseCodes,
    /** The buyer takes a code off: its use is for others again. Tells `false` if it is not there. */
    releaseOne: codes.removeUse,
    /** The codes of an order, the first used first. */
    ofOrder: codes.findOnOrder,
  }
}
