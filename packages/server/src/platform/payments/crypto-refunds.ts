import type { CryptoDeps } from './crypto-invoices.ts'
import { invoicePath, methodsOf } from './crypto-invoices.ts'
import { shareOfCoins } from './crypto-state.ts'
import type { Refund, RefundRequest } from './gateway.ts'

type Payout = { state: string; originalAmount: string }
type Claim = {
  id: string
  description: string | null
  viewLink: string
  amount: string
  archived: boolean
}

export async function refundPayment(deps: CryptoDeps, request: RefundRequest): Promise<Refund> {
  const claim = (await findClaim(deps, request.key)) ?? (await createClaim(deps, request))
  return { reference: claim.id, claim_url: claim.viewLink, has_failed: false }
}

async function createClaim(deps: CryptoDeps, request: RefundRequest): Promise<Claim> {
  const { reference, payment, amount_in_cents, paid_in_cents, key } = request
  const methods = await methodsOf(deps, reference)
  const paidBy = methods.find(({ payments }) => payments.some(({ id }) => id === payment))
  const paidPayment = paidBy?.payments.find(({ id }) => id === payment)
  if (!paidBy || !paidPayment)
    throw new Error('The payment to refund does not belong to its invoice.')
  return deps.greenfield.post<Claim>(`${invoicePath(deps.store, reference)}/refund`, {
    name: 'Refund',
    description: describeRefund(key),
    // 2.4.1 and later read the list; older servers ignore it and read the single id.
    payoutMethodId: paidBy.paymentMethodId,
    payoutMethods: [paidBy.paymentMethodId],
    refundVariant: 'Custom',
    // A claim in dollars would be paid at the rate of the payout, without a limit in coins.
    customCurrency: paidBy.currency,
    customAmount: shareOfCoins(paidPayment, amount_in_cents, paid_in_cents),
  })
}

export async function findRefund(deps: CryptoDeps, { key }: Pick<RefundRequest, 'key'>) {
  const claim = await findClaim(deps, key)
  if (!claim || claim.archived) return undefined
  const is_taken = (await payoutsOf(deps, claim.id)).some(({ state }) => state !== 'Cancelled')
  return { reference: claim.id, claim_url: claim.viewLink, has_failed: false, is_taken }
}

export async function isPaidOut(deps: CryptoDeps, claim_url: string): Promise<boolean> {
  const id = claimOf(claim_url)
  const { amount } = await deps.greenfield.get<Claim>(`/pull-payments/${encodeURIComponent(id)}`)
  const paidAmount = (await payoutsOf(deps, id))
    .filter(({ state }) => state === 'Completed')
    .reduce((sum, { originalAmount }) => sum + smallestUnits(originalAmount), 0)
  return paidAmount >= smallestUnits(amount)
}

/** BTCPay's link of a claim ends with its id, also behind a path of its own. */
const claimOf = (claim_url: string): string =>
  decodeURIComponent(
    claim_url
      .replace(/[?#].*/, '')
      .split('/')
      .at(-1) ?? '',
  )

/** Claims are found by their description, since BTCPay has no idempotency keys. */
async function findClaim(
  { greenfield, store }: CryptoDeps,
  key: string,
): Promise<Claim | undefined> {
  const claims = await greenfield.get<Claim[]>(`${store}/pull-payments?includeArchived=true`)
  return claims.find(({ description }) => description === describeRefund(key))
}

const payoutsOf = ({ greenfield }: CryptoDeps, claim: string): Promise<Payout[]> =>
  greenfield.get<Payout[]>(`/pull-payments/${encodeURIComponent(claim)}/payouts`)

const describeRefund = (key: string): string => `Refund ${key}`

/** Compares claims in coins, and older ones in dollars. */
const smallestUnits = (amount: string): number => Math.round(Number(amount) * 100_000_000)
