import { times, unitsOf } from './decimal.ts'
import { isCounted, paidUnits } from './invoices.ts'
import type { Payment, StoredInvoice } from './objects.ts'

/** The events of an invoice for its webhooks. */
export type Happening =
  | { type: 'InvoiceExpired'; partiallyPaid: boolean }
  | { type: 'InvoiceProcessing'; overPaid: boolean }
  | { type: 'InvoiceSettled'; manuallyMarked: boolean; overPaid: boolean }
  | { type: 'InvoiceInvalid'; manuallyMarked: boolean }

const hundred = unitsOf('100')
const cent = unitsOf('0.01')
const isSettled = ({ status }: Payment): boolean => status === 'Settled'

/** The state of an invoice after a payment or after its expiry, by BTCPay's rules. */
export function judge(
  before: StoredInvoice,
  now: number,
): { invoice: StoredInvoice; happenings: Happening[] } {
  const happenings: Happening[] = []
  const paidBefore = paidUnits(before, isCounted)
  let { status, additionalStatus, amount } = before

  if (status === 'New' && before.expirationTime <= now) {
    status = 'Expired'
    happenings.push({ type: 'InvoiceExpired', partiallyPaid: paidBefore > 0n })
  }
  const tolerated = times(
    unitsOf(amount),
    hundred - unitsOf(before.checkout.paymentTolerance.toFixed(6)),
  )
  const enough = (sum: bigint): boolean => sum > 0n && sum * 100n >= tolerated
  const overPaid = before.type === 'Standard' && paidBefore - unitsOf(amount) >= cent

  if (status === 'New' && enough(paidBefore)) {
    status = 'Processing'
    if (before.type === 'TopUp') amount = asText(paidBefore)
    happenings.push({ type: 'InvoiceProcessing', overPaid })
  } else if (status === 'Expired' && enough(paidBefore)) {
    additionalStatus = 'PaidLate'
  } else if ((status === 'New' || status === 'Expired') && paidBefore > 0n) {
    additionalStatus = 'PaidPartial'
  }
  if (status === 'Processing') {
    additionalStatus = overPaid ? 'PaidOver' : 'None'
    if (enough(paidUnits(before, isSettled))) {
      status = 'Settled'
      happenings.push({ type: 'InvoiceSettled', manuallyMarked: false, overPaid })
    } else if (before.monitoringExpiration <= now) {
      status = 'Invalid'
      happenings.push({ type: 'InvoiceInvalid', manuallyMarked: false })
    }
  }
  return { invoice: { ...before, status, additionalStatus, amount }, happenings }
}

const asText = (units: bigint): string => {
  const cents = units / cent
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
