import {
  type BoxConfig,
  oddsOf,
  type PriceTable,
  priceOfScore,
  type ScoreRange,
} from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { pricesQuery } from '../../../api/admin.ts'
import { Money } from '../../../design/money.tsx'
import { oddsTexts as texts } from './texts.ts'
import { shownChance, worthOf } from './worth.ts'

type Props = { name: string; config: BoxConfig; price?: number | null | undefined }

/** The odds of a type, computed by the same code as the draw. */
export function Odds({ name, config, price }: Props) {
  const { data: versions } = useQuery(pricesQuery)
  const prices = versions?.[0]?.prices
  const { slots, ranges } = oddsOf(config)
  const sum = ranges.reduce((all, { probability }) => all + probability, 0)
  return (
    <div className="grid gap-3">
      <table className="w-full text-left">
        <caption className="sr-only">{texts.caption(name)}</caption>
        <thead className="text-sm text-soft">
          <tr>
            <th scope="col" className="py-2 pr-2 font-semibold">
              {texts.scores}
            </th>
            <th scope="col" className="p-2 text-right font-semibold">
              {texts.slot}
            </th>
            <th scope="col" className="py-2 pl-2 text-right font-semibold">
              {texts.box}
            </th>
          </tr>
        </thead>
        <tbody>
          {ranges.map((range, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two ranges may be equal
            <tr key={nth} className="border-t border-hair align-top">
              <th scope="row" className="py-2 pr-2 font-normal">
                <span className="font-semibold tabular-nums">
                  {texts.range(range.min_score, range.max_score)}
                </span>
                {prices ? <Costs range={range} prices={prices} /> : null}
              </th>
              <td className="p-2 text-right tabular-nums">{shownChance(range.probability)}</td>
              <td className="py-2 pl-2 text-right tabular-nums">
                {shownChance(range.at_least_one)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line">
            <th scope="row" className="py-2 pr-2 font-semibold">
              {texts.sum}
            </th>
            <td className="p-2 text-right font-semibold tabular-nums">{shownChance(sum)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      <p className="text-sm text-soft">{texts.slots(slots, config.size)}</p>
      {prices ? <Worth config={config} prices={prices} price={price} /> : null}
    </div>
  )
}

const Costs = ({ range, prices }: { range: ScoreRange; prices: PriceTable }) => {
  const [least, most] = [range.min_score, range.max_score].map((score) =>
    priceOfScore(score, prices),
  )
  const formatCents = (cents: number | null | undefined) =>
    cents ? <Money cents={cents} /> : texts.nothing
  return (
    <span className="block text-sm text-soft">
      <span className="sr-only">{texts.costs}: </span>
      {formatCents(least)}
      {least === most ? null : <> – {formatCents(most)}</>}
    </span>
  )
}

type WorthProps = { config: BoxConfig; prices: PriceTable; price: number | null | undefined }

function Worth({ config, prices, price }: WorthProps) {
  const { least, most, hasUnpriced } = worthOf(config, prices)
  return (
    <p className="rounded-field bg-tint px-4 py-3 text-sm">
      {most === 0 ? (
        texts.worthless
      ) : (
        <>
          {texts.worth}{' '}
          <strong>
            <Money cents={least} /> {texts.to} <Money cents={most} />
          </strong>{' '}
          {texts.worthRange} {hasUnpriced ? texts.unpriced : null}
        </>
      )}
      {price ? (
        <>
          {' '}
          {texts.price}{' '}
          <strong>
            <Money cents={price} />
          </strong>
          .
        </>
      ) : null}
    </p>
  )
}
