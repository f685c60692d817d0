import { MAX_EMOJIS, type PriceTable, priceOfScore, scoreRange } from '@emojid/core'
import { Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'
import { axisLook, chartSize, tooltipLook } from '../../../design/charts/chart-look.ts'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { moneyText } from '../../../design/money.tsx'
import { Price } from './price-grid.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.curves

type Point = { score: number; dollars: number | null }
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
          data={scorePoints(prices)}
          by="score"
          lines={['dollars']}
        />
      </figure>
      <figure className="grid min-w-0 gap-2">
        <figcaption className="font-semibold">{texts.byLength}</figcaption>
        <Legend lines={lengthLines} />
        <Curves
          label={texts.lengthLabel}
          data={lengths.map(({ length, lowest, highest }) => ({
            length,
            lowest: inDollars(lowest),
            highest: inDollars(highest),
          }))}
          by="length"
          lines={lengthLines}
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

const inDollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

const scorePoints = (prices: PriceTable): Point[] =>
  prices.map((cents, nth) => ({ score: nth + 1, dollars: inDollars(cents) }))

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
  data: Record<string, number | null>[]
  by: string
  lines: readonly LineName[]
}

const lengthLines = ['lowest', 'highest'] as const

/** Dashes tell the lines apart for people who do not see the colours. */
const strokes: Record<LineName, { stroke: string; strokeDasharray?: string }> = {
  dollars: { stroke: 'var(--color-main)' },
  lowest: { stroke: 'var(--color-main)' },
  highest: { stroke: 'var(--color-good)', strokeDasharray: '6 3' },
}

/** The names of the lines, each with a sample. */
const Legend = ({ lines }: { lines: readonly LineName[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {lines.map((line) => (
      <li key={line} className="flex items-center gap-2">
        <svg aria-hidden="true" width="24" height="4">
          <line x1="0" y1="2" x2="24" y2="2" strokeWidth="2" {...strokes[line]} />
        </svg>
        {texts.lines[line]}
      </li>
    ))}
  </ul>
)

/** Prices span four powers of ten, so the axis is logarithmic. */
const Curves = ({ label, data, by, lines }: CurvesProps) => (
  <LineChart responsive style={chartSize} data={data} aria-label={label}>
    <XAxis {...axisLook} dataKey={by} minTickGap={16} />
    <YAxis
      {...axisLook}
      scale="log"
      domain={['auto', 'auto']}
      width={64}
      tickFormatter={(dollars) => moneyText(Number(dollars) * 100).replace('.00', '')}
    />
    <Tooltip
      {...tooltipLook}
      formatter={(dollars) => moneyText(Number(dollars) * 100)}
      labelFormatter={(value) => texts.point[by as keyof typeof texts.point](String(value))}
    />
    {lines.map((line) => (
      <Line
        key={line}
        dataKey={line}
        name={texts.lines[line]}
        {...strokes[line]}
        strokeWidth={2}
        dot={by === 'length'}
        isAnimationActive={false}
      />
    ))}
  </LineChart>
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
