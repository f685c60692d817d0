import { bindUseCases } from '../../../platform/bind.ts'
import { acceptTransfer } from './accept-transfer.ts'
import { confirmTransfer } from './confirm-transfer.ts'
import type { Deps } from './deps.ts'
import { requestTransfer } from './request-transfer.ts'
import { resendCode } from './resend-code.ts'

export type Handovers = ReturnType<typeof createHandovers>

/**
 * Transfers an id to its next owner: both sides confirm with a code, then everything moves in one
 * transaction.
 */
export function createHandovers(deps: Deps) {
  return bindUseCases(deps, {
    requestTransfer,
    confirmTransfer,
    acceptTransfer,
    resendCode,
  })
}
