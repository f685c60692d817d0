import { Badge, type Tone } from '../../../design/badge.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { readId } from '../../partner/own-id.ts'
import { proofTexts as texts } from './texts.ts'
import type { Check } from './verify-box.ts'

const tones: Record<Check['verdict'], Tone> = {
  holds: 'good',
  broken: 'wrong',
  unknown: 'plain',
  unchecked: 'wrong',
}

/** Each check with the published and the computed value. */
export const CheckList = ({ checks }: { checks: readonly Check[] }) => (
  <ol className="grid divide-y divide-hair">
    {checks.map((check) => (
      <li key={check.name} className="py-3 first:pt-0 last:pb-0">
        <OneCheck check={check} />
      </li>
    ))}
  </ol>
)

function OneCheck({ check: { name, verdict, published, computed } }: { check: Check }) {
  const { title, text, values } = texts.checks[name]
  const isCompared = verdict === 'holds' || verdict === 'broken'
  const [publishedName = '', computedName = ''] = values
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-medium">{title}</h4>
        <Badge tone={tones[verdict]}>{texts.verdicts[verdict]}</Badge>
      </div>
      <p className="text-sm text-soft">
        {verdict === 'unknown' || verdict === 'unchecked' ? texts.without[verdict] : text}
      </p>
      {isCompared ? (
        <dl className="grid gap-2">
          <Value name={publishedName} value={published} />
          <Value name={computedName} value={computed ?? texts.nothing} />
        </dl>
      ) : null}
    </div>
  )
}

type ValueProps = { name: string; value: string | readonly string[] }

/** A number or ids, to compare by eye. */
export const Value = ({ name, value }: ValueProps) => (
  <div className="grid gap-0.5">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex flex-wrap gap-x-4 gap-y-1.5 font-mono text-sm wrap-anywhere">
      {[value]
        .flat()
        .map((part) =>
          readId(part) ? (
            <EmojiId key={part} id={part} size="small" />
          ) : (
            <span key={part}>{part}</span>
          ),
        )}
    </dd>
  </div>
)
