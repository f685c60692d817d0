import { nameOfEmoji } from '@emojid/core'
import { lazy, Suspense } from 'react'
import type { SearchAnswer } from '../../api/search.ts'
import { Spinner } from '../../design/button.tsx'
import { withArt } from '../../design/with-art.tsx'
import { texts } from './texts.ts'
import type { Selection } from './use-chosen.ts'
import { useFinder } from './use-finder.ts'

const Verdict = lazy(async () => ({ default: (await import('./answer-parts.tsx')).Verdict }))

type Props = {
  chosen: Selection
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
            {pieces.map(({ text }) => nameOfEmoji(text)).join(', ')}
          </p>
          {isFailed ? null : (
            <Suspense fallback={<Looking />}>
              {answer ? <Verdict answer={answer} taken={taken} /> : <Looking />}
            </Suspense>
          )}
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

const Looking = () => (
  <p className="flex items-center gap-2 text-soft">
    {texts.echo.looking} <Spinner />
  </p>
)
