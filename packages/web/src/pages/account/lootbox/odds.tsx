import { type Odds as BoxOdds, oddsOf } from '@emojid/core'
import { Card } from '../../../design/feedback.tsx'
import { chanceInWords } from './chance.ts'
import type { LootboxType } from './queries.ts'
import { oddsTexts as texts } from './texts.ts'

/** The possible contents of a box. */
export function Odds({ type }: { type: LootboxType | null }) {
  return (
    <Card className="grid gap-4">
      <h2>{texts.title}</h2>
      {type ? <Numbers type={type} /> : <p className="text-soft">{texts.byHand}</p>}
    </Card>
  )
}

/** Computes the odds in the browser instead of trusting the server. */
function Numbers({ type: { config } }: { type: LootboxType }) {
  const odds = oddsOf(config)
  const { size, min_length, max_length, guarantees } = config
  return (
    <>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{texts.size(size, min_length, max_length)}</li>
        {guarantees.map(({ count, min_score, max_score }) => (
          <li key={`${min_score} ${max_score} ${count}`}>
            {texts.guarantee(count, min_score, max_score)}
          </li>
        ))}
        <li>{odds.slots > 0 ? texts.chance(odds.slots) : texts.certain}</li>
      </ul>
      {odds.slots > 0 ? <Ranges ranges={odds.ranges} /> : null}
      <p className="text-sm text-soft">{texts.score}</p>
    </>
  )
}

const columns = [texts.columns.range, texts.columns.each, texts.columns.box]

const Ranges = ({ ranges }: { ranges: BoxOdds['ranges'] }) => (
  <table className="w-full text-left tabular-nums">
    <caption className="sr-only">{texts.caption}</caption>
    <thead>
      <tr>
        {columns.map((title) => (
          <th key={title} scope="col" className="py-2 pr-4 text-sm font-semibold last:pr-0">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {ranges.map(({ min_score, max_score, probability, at_least_one }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two ranges may be equal
        <tr key={nth} className="border-t border-hair">
          <th scope="row" className="py-2 pr-4 font-semibold whitespace-nowrap">
            {texts.range(min_score, max_score)}
          </th>
          <td className="py-2 pr-4">{chanceInWords(probability)}</td>
          <td className="py-2">{chanceInWords(at_least_one)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
