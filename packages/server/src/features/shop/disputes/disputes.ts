import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { leaveIds, takeBackIds } from './decide-dispute.ts'
import type { Deps } from './deps.ts'
import { listDisputes, showDispute } from './read-disputes.ts'
import { recordDispute } from './record-dispute.ts'

export type Disputes = ReturnType<typeof createDisputes>

/**
 * Applies a disputed payment to its order. Lock order: the order, its boxes, its ids. So a box is
 * opened or an id transferred either before or after, never in between.
 */
export function createDisputes(deps: Deps) {
  const bind = bindTo(deps)
  const { payments } = deps
  payments.whenDisputed(bind(recordDispute))

  return bindUseCases(deps, {
    listDisputes,
    showDispute,
    takeBackIds,
    leaveIds,
  })
}
