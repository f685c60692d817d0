import type { SearchAnswer } from '../../api/search.ts'
import { Money } from '../../design/money.tsx'
import { useFees } from '../../design/use-fees.ts'
import { texts as sharedTexts } from '../texts.ts'
import { texts } from './answer-texts.ts'
import { HeldBackReasons } from './held-back.tsx'

const badges = {
  Available: 'bg-good-ground text-good',
  Taken: 'bg-wrong-ground text-wrong',
  InCart: 'bg-tint text-main',
  ComingSoon: 'bg-tint text-main',
  NoPrice: 'bg-tint text-main',
}

type Props = {
  answer: SearchAnswer
  /** The advice for a taken id. */
  taken?: string | undefined
}

/** Whether an id is available, its price and the next step. */
export function Verdict({ answer, taken }: Props) {
  const { feesOn, partner } = useFees()
  const { availability, emoji_id } = answer.result
  const price = answer.result.price ?? 0
  const fees = feesOn(price)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={`rounded-full px-3 py-1 font-semibold text-sm ${badges[availability]}`}>
          {texts.availability[availability]}
        </span>{' '}
        {availability === 'Available' ? (
          <span className="font-bold text-2xl tracking-tight">
            <Money cents={price + fees} />
          </span>
        ) : null}
      </p>
      {availability === 'Available' && fees > 0 ? (
        <p className="text-soft">
          <Money cents={price} /> + <Money cents={fees} />{' '}
          {partner ? texts.partnerFee(partner) : sharedTexts.sums.fees}
        </p>
      ) : null}
      {availability === 'ComingSoon' ? <HeldBackReasons id={emoji_id} /> : null}
      {availability === 'Taken' || availability === 'InCart' || availability === 'NoPrice' ? (
        <p className="text-soft">
          {(availability === 'Taken' && taken) || texts.advice[availability]}
        </p>
      ) : null}
    </>
  )
}
