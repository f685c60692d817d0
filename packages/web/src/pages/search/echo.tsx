import type { SearchAnswer } from '../../api/search.ts'
import { Spinner } from '../../design/button.tsx'
import { nameOf } from '../../design/emoji-id.tsx'
import { Money } from '../../design/money.tsx'
import { useFees } from '../../design/use-fees.ts'
import { withArt } from '../../design/with-art.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { HeldBackReasons } from './held-back.tsx'
import { texts } from './texts.ts'
import type { Chosen } from './use-chosen.ts'
import { useFinder } from './use-finder.ts'

type Props = {
  chosen: Chosen
  draft: string
  answer: SearchAnswer | undefined
  isFailed: boolean
  /** The advice for a taken id. */
  taken?: string | undefined
}

/** The search result, announced to screen readers on every change. */
export function Echo({ chosen, draft, answer, isFailed, taken }: Props) {
  const { pieces, isTooMuch } = chosen
  const faults = pieces.filter(({ fault }) => fault)
  return (
    <div role="status" className="grid min-w-0 flex-1 basis-64 gap-1.5">
      {isTooMuch ? <p className="font-medium text-wrong">{texts.echo.full}</p> : null}
      {faults.map(({ text, fault }) => (
        <p key={text} className="font-medium text-wrong">
          {withArt(fault ?? '')} {texts.echo.wrong}
        </p>
      ))}
      <DraftEcho draft={draft} />
      {pieces.length > 0 && faults.length === 0 ? (
        <>
          <p className="text-balance font-semibold text-lg">
            {pieces.map(({ text }) => nameOf(text)).join(', ')}
          </p>
          {isFailed ? null : <Verdict answer={answer} taken={taken} />}
        </>
      ) : null}
    </div>
  )
}

function DraftEcho({ draft }: { draft: string }) {
  const { data: finder } = useFinder()
  const word = draft.trim()
  if (!word || !finder) return null
  const [best, ...others] = finder.findEmojis(word)
  return (
    <p className="text-soft">
      {best ? texts.echo.best(1 + others.length, best.name) : texts.echo.none(word)}
    </p>
  )
}

const badges = {
  Available: 'bg-good-ground text-good',
  Taken: 'bg-wrong-ground text-wrong',
  InCart: 'bg-tint text-main',
  ComingSoon: 'bg-tint text-main',
  NoPrice: 'bg-tint text-main',
}

function Verdict({ answer, taken }: Pick<Props, 'answer' | 'taken'>) {
  const { feesOn, partner } = useFees()
  if (!answer)
    return (
      <p className="flex items-center gap-2 text-soft">
        {texts.echo.looking} <Spinner />
      </p>
    )
  const { availability, price, emoji_id } = answer.result
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
