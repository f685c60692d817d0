import { MAX_EMOJIS, type PriceTable, priceOfScore, scoreRange } from '@emojid/core'
import { Chart, type Point } from '../../../design/charts/chart.tsx'
import { powerScale } from '../../../design/charts/scale.ts'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { moneyText } from '../../../design/money.tsx'
import { Price } from './price-grid.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.curves

type LengthRow = { length: number; lowest: number | null; highest: number | null }

/** The prices as curves: over the score, and the lowest and highest price over the length. */
export function PriceCurves({ prices }: { prices: PriceTable }) {
  const lengths = Array.from({ length: MAX_EMOJIS }, (_, nth) => rowOf(nth + 1, prices))
  return (
    <div className="grid min-w-0 content-start gap-5">
      <figure className="grid min-w-0 gap-2">
        <figcaption className="font-semibold">{texts.byScore}</figcaption>
        <Curves
          label={texts.scoreLabel}
          points={scorePoints(prices)}
          lines={['dollars']}
          shape="lines"
        />
      </figure>
      <figure className="grid min-w-0 gap-2">
        <figcaption className="font-semibold">{texts.byLength}</figcaption>
        <Legend lines={lengthLines} />
        <Curves
          label={texts.lengthLabel}
          points={lengths.map(({ length, lowest, highest }) => ({
            tick: String(length),
            title: texts.emojis(length),
            values: [lowest, highest],
          }))}
          lines={lengthLines}
          shape="dotted lines"
        />
        <details>
          <summary className="min-h-6 w-fit cursor-pointer text-sm text-main underline underline-offset-4">
            {texts.table}
          </summary>
          <div className="mt-3">
            <DataTable
              caption={texts.byLength}
              columns={columns}
              rows={lengths}
              keyOf={({ length }) => String(length)}
              empty=""
            />
          </div>
        </details>
      </figure>
    </div>
  )
}

const scorePoints = (prices: PriceTable): Point[] =>
  prices.map((cents, nth) => ({
    tick: String(nth + 1),
    title: texts.atScore(nth + 1),
    values: [cents],
  }))

/** A price can be missing, and need not rise with the score. */
function rowOf(length: number, prices: PriceTable): LengthRow {
  const { lowest, highest } = scoreRange(length)
  const scores = Array.from({ length: highest - lowest + 1 }, (_, nth) => lowest + nth)
  const cents = scores.flatMap((score) => priceOfScore(score, prices) ?? [])
  if (cents.length === 0) return { length, lowest: null, highest: null }
  return { length, lowest: Math.min(...cents), highest: Math.max(...cents) }
}

type LineName = keyof typeof texts.lines
type CurvesProps = {
  label: string
  points: readonly Point[]
  lines: readonly LineName[]
  shape: 'lines' | 'dotted lines'
}

const lengthLines = ['lowest', 'highest'] as const

const looks: Record<LineName, { color: string; dashes?: string }> = {
  dollars: { color: 'var(--color-main)' },
  lowest: { color: 'var(--color-main)' },
  highest: { color: 'var(--color-good)', dashes: '6 3' },
}

/** The names of the lines, each with a sample. */
const Legend = ({ lines }: { lines: readonly LineName[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {lines.map((line) => (
      <li key={line} className="flex items-center gap-2">
        <svg aria-hidden="true" width="24" height="4">
          <line
            x1="0"
            y1="2"
            x2="24"
            y2="2"
            strokeWidth="2"
            stroke={looks[line].color}
            strokeDasharray={looks[line].dashes}
          />
        </svg>
        {texts.lines[line]}
      </li>
    ))}
  </ul>
)

/** Prices span four powers of ten. */
const Curves = ({ label, points, lines, shape }: CurvesProps) => (
  <Chart
    label={label}
    shape={shape}
    series={lines.map((line) => ({ name: texts.lines[line], ...looks[line] }))}
    points={points}
    scale={powerScale(points.flatMap(({ values }) => values.flatMap((value) => value ?? [])))}
    show={(cents) => moneyText(cents).replace('.00', '')}
  />
)

const columns: Column<LengthRow>[] = [
  { title: texts.columns.length, show: ({ length }) => texts.emojis(length) },
  {
    title: texts.columns.lowest,
    isAtEnd: true,
    show: ({ lowest }) => <Price cents={lowest} />,
  },
  {
    title: texts.columns.highest,
    isAtEnd: true,
    show: ({ highest }) => <Price cents={highest} />,
  },
]
