import { Money } from './money.tsx'
import { useFees } from './use-fees.ts'

/** A price as the cart will ask for it, with the fees. */
export function WholePrice({ cents }: { cents: number }) {
  const { feesOn } = useFees()
  return <Money cents={cents + feesOn(cents)} />
}
