import { toPage } from '../../../platform/http/api/paging.ts'
import { sealContext } from './finish-refund.ts'
import type { Deps } from './ledger.ts'
import type { RefundRow } from './repository.ts'
import * as entries from './repository.ts'
import type { RefundQuery } from './schema.ts'

export async function findRefund({ db }: Deps, id: string) {
  const refund = await entries.findRefund(db, id)
  return refund && showRefund(refund)
}

export async function findRefunds(deps: Deps, order_id: string, isForBuyer: boolean) {
  const { db } = deps
  const rows = await entries.findRefunds(db, order_id)
  return rows.map(isForBuyer ? (refund) => showRefundToBuyer(deps, refund) : showRefund)
}

export async function listRefunds({ db }: Deps, query: RefundQuery) {
  const { rows, total } = await entries.findRefundPage(db, query)
  return toPage(rows.map(showRefund), total, query)
}

export const findSentRefund = ({ db }: Deps, attempt_id: string) => entries.findSent(db, attempt_id)

/** Omits the claim link: anyone with the link can claim the money. */
function showRefund({ sealed_claim, ...refund }: RefundRow) {
  return {
    ...refund,
    claim_url: null,
    has_claim: sealed_claim !== null,
  }
}

function showRefundToBuyer({ sealer }: Deps, refund: RefundRow) {
  const { id, sealed_claim } = refund
  const claim_url = sealed_claim && sealer.open(sealed_claim, sealContext(id)).toString()
  return { ...showRefund(refund), claim_url }
}
