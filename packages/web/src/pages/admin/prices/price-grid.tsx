import type { PriceTable } from '@emojid/core'
import { Money } from '../../../design/money.tsx'
import { texts } from './texts.ts'

type Props = {
  prices: PriceTable
  /** Marks the differences to this table. */
  before?: PriceTable
}

/** The price of every score. */
export const PriceGrid = ({ prices, before = prices }: Props) => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.75rem,1fr))] gap-1.5">
    {prices.map((cents, nth) => {
      const was = before[nth] ?? null
      const isChanged = cents !== was
      return (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the score
          key={nth}
          className={`grid content-start rounded-lg border px-2 py-1.5 text-sm ${isChanged ? 'border-main bg-tint' : 'border-hair'}`}
        >
          <span className="text-soft">{texts.score(nth + 1)}</span>
          <span className={isChanged ? 'font-bold' : 'font-medium'}>
            <Price cents={cents} />
          </span>
          {isChanged ? (
            <span className="text-soft">
              {texts.was} <Price cents={was} />
            </span>
          ) : null}
        </li>
      )
    })}
  </ul>
)

export const Price = ({ cents }: { cents: number | null }) =>
  cents === null ? texts.notForSale : <Money cents={cents} />

/** The number of scores with different prices. */
export const differences = (one: PriceTable, other: PriceTable): number =>
  one.filter((cents, nth) => cents !== (other[nth] ?? null)).length
