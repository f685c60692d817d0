import { texts as sharedTexts } from '../texts.ts'
import type { Change, ReviewResult } from './review.ts'
import { texts } from './texts.ts'

const { review: t } = texts

const badges = {
  new: 'bg-good-ground text-good',
  same: 'bg-tint text-ink',
  replaces: 'bg-tint text-main',
  refused: 'bg-wrong-ground text-wrong',
}

type Props = {
  rows: readonly ReviewResult[]
  leftOut: readonly string[]
  setLeftOut: (tags: readonly string[]) => void
}

/** The addresses with their effects; each change can be excluded. */
export const ReviewedAddresses = ({ rows, leftOut, setLeftOut }: Props) => (
  <ul className="grid gap-3">
    {rows.map((row) => (
      <li key={row.tag} className="grid gap-2 rounded-2xl border border-hair p-4">
        <div className="flex items-center justify-between gap-4">
          <Currency
            row={row}
            isLeftOut={leftOut.includes(row.tag)}
            onChange={(isLeftOut) =>
              setLeftOut([
                ...leftOut.filter((tag) => tag !== row.tag),
                ...(isLeftOut ? [row.tag] : []),
              ])
            }
          />
          <span
            className={`shrink-0 rounded-full px-3 py-1 font-semibold text-sm ${badges[row.state]}`}
          >
            {t.states[row.state]}
          </span>
        </div>
        <p className="font-mono text-sm break-all">{row.address}</p>
        {row.wallet ? (
          <p className="text-sm wrap-anywhere">
            <span className="text-soft">{t.wallet}:</span> {row.wallet}
          </p>
        ) : null}
        {row.state === 'refused' ? (
          <p className="font-medium text-sm text-wrong">{row.why}</p>
        ) : (
          <Effect row={row} />
        )}
      </li>
    ))}
  </ul>
)

type CurrencyProps = {
  row: ReviewResult
  isLeftOut: boolean
  onChange: (isLeftOut: boolean) => void
}

function Currency({ row, isLeftOut, onChange }: CurrencyProps) {
  const name = (
    <span>
      <span className="font-semibold">{row.currency}</span>{' '}
      <span className="font-mono text-sm text-soft">{row.tag}</span>
    </span>
  )
  if (row.state === 'same' || row.state === 'refused') return name
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        checked={!isLeftOut}
        onChange={({ target }) => onChange(!target.checked)}
        className="size-5 accent-main"
      />
      <span className="sr-only">{t.include}</span>
      {name}
    </label>
  )
}

const Effect = ({ row: { state, before, isSignedBefore, strength } }: { row: Change }) => (
  <>
    {state === 'replaces' ? (
      <p className="text-sm">
        <span className="text-soft">{t.instead}:</span>{' '}
        <span className="font-mono break-all">{before}</span>
        {isSignedBefore ? <span className="block text-soft">{t.signatureGoes}</span> : null}
      </p>
    ) : null}
    <p className="text-sm text-soft">{sharedTexts.strengths[strength]}</p>
  </>
)
