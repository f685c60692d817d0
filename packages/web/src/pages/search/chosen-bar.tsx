import type { SearchAnswer } from '../../api/search.ts'
import { Emoji } from '../../design/emoji-id.tsx'
import { Money } from '../../design/money.tsx'
import { useFees } from '../../design/use-fees.ts'
import { Actions } from './actions.tsx'
import { texts } from './answer-texts.ts'
import type { Selection } from './use-chosen.ts'

type Props = { chosen: Selection; answer: SearchAnswer | undefined; onLookAgain: () => void }

/** On phones: the chosen id, its price and the action stay in sight while the visitor picks. */
export function ChosenBar({ chosen, answer, onLookAgain }: Props) {
  const { feesOn } = useFees()
  const { availability, price = 0 } = answer?.result ?? {}
  return (
    <section
      aria-label={texts.bar}
      className="fixed inset-x-0 bottom-0 z-10 flex min-h-20 items-center justify-between gap-3 border-hair border-t bg-card px-4 py-2 shadow-2xl sm:hidden"
    >
      <div className="grid min-w-0 gap-1">
        <p className="flex gap-0.5 text-2xl leading-none">
          {chosen.pieces.map(({ text, fault }, place) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: an emoji is identified by its position
            fault ? null : <Emoji key={place} emoji={text} />,
          )}
        </p>
        <p className="font-semibold leading-tight">
          {availability === 'Available' && price !== null ? (
            <Money cents={price + feesOn(price)} />
          ) : null}
          {availability && availability !== 'Available' ? texts.availability[availability] : null}
        </p>
      </div>
      {answer ? (
        <Actions item={answer.result} text={chosen.text} onLookAgain={onLookAgain} />
      ) : null}
    </section>
  )
}
