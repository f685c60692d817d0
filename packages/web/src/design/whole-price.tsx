import { Money } from './money.tsx'
import { useFees } from './use-fees.ts'

/** A price including fees, as the cart shows it. */
export function WholePrice({ cents }: { cents: number }) {
  const { feesOn } = useFees()
  return <Money cents={cents + feesOn(cents)} />
}
