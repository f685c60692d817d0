import type { SearchAnswer } from '../../api/search.ts'
import { Card } from '../../design/feedback.tsx'
import { texts } from './answer-texts.ts'
import { IdTiles } from './id-tiles.tsx'

type Props = { answer: SearchAnswer; onChoose: () => void }

/** The score of an id, and similar ids. */
export function About({ answer: { result, alternates }, onChoose }: Props) {
  const { rhythm_score: score, copy } = result
  return (
    <Card className="grid content-start gap-6">
      <div className="grid gap-3">
        <h2>{texts.score.title}</h2>
        <p className="flex items-baseline gap-2">
          <span className="sr-only">{texts.score.label}</span>
          <span className="bg-linear-to-br from-main to-[light-dark(#c026a3,#ff8fe0)] bg-clip-text font-bold text-5xl text-transparent tabular-nums tracking-tight">
            {score}
          </span>
          <span className="text-soft">{texts.score.of}</span>
        </p>
        <div aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-hair">
          <div
            className="h-full rounded-full bg-linear-to-r from-main to-[light-dark(#c026a3,#ff8fe0)] transition-[width] duration-500"
            style={{ width: `${score}%` }}
          />
        </div>
        <ul className="list-disc space-y-1 pl-5 marker:text-main">
          {copy?.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
        <p className="text-sm text-soft">{texts.score.explanation}</p>
      </div>
      <div className="grid gap-3">
        <h2>{texts.alternates.title}</h2>
        {alternates.length > 0 ? (
          <IdTiles ids={alternates} onChoose={onChoose} />
        ) : (
          <p className="text-soft">{texts.alternates.none}</p>
        )}
      </div>
    </Card>
  )
}
