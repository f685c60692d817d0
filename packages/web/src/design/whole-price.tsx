import { useQuery } from '@tanstack/react-query'
import { companyFee } from '../api/addresses.ts'
import { brandingQuery } from '../api/partners.ts'
import { Money } from './money.tsx'
import { useVisit } from './use-visit.ts'

/** A price including fees, as the cart shows it. */
export function WholePrice({ cents }: { cents: number }) {
  const { feesOn } = useFees()
  return <Money cents={cents + feesOn(cents)} />
}

const feeOn = (cents: number, percent: number): number => Math.floor((cents * percent) / 100)

/** The fees on a price: ours and that of the partner that sent the buyer. */
export function useFees() {
  const visit = useVisit()
  const { data: partner } = useQuery({
    ...brandingQuery(visit?.path ?? ''),
    enabled: visit !== undefined,
  })
  const clientFee = partner?.client_fee_percent ?? 0
  return {
    partner: clientFee > 0 ? partner?.name : undefined,
    feesOn: (cents: number): number => feeOn(cents, companyFee) + feeOn(cents, clientFee),
  }
}
