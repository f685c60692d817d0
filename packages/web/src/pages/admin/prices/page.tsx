import { MAX_EMOJIS, type PriceTable, priceOfScore, scoreRange } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PriceVersion, pricesQuery } from '../../../api/admin.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { Chart, type Point } from '../../../design/charts/chart.tsx'
import { powerScale } from '../../../design/charts/scale.ts'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { moneyText } from '../../../design/money.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as adminTexts } from '../texts.ts'
import { differences, Price, PriceGrid } from './price-grid.tsx'
import { texts } from './texts.ts'

export function PricesPage() {
  const { data: versions, error } = useQuery(pricesQuery)
  return (
    <Section
      title={adminTexts.sections.prices}
      text={texts.text}
      actions={
        <Link to="/admin/prices/new" className={buttonLook()}>
          {texts.create}
        </Link>
      }
    >
      {versions ? <Versions versions={versions} /> : null}
      {versions ? null : error ? <ErrorOf thrown={error} /> : <Waiting />}
    </Section>
  )
}

function Versions({ versions }: { versions: readonly PriceVersion[] }) {
  const [current] = versions
  const rows = versions.map((version, nth) => ({
    ...version,
    isCurrent: nth === 0,
    changes: differences(version.prices, versions[nth + 1]?.prices ?? version.prices),
  }))
  if (!current) return null
  return (
    <>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <h2>{texts.inForce(current.version)}</h2>
          <p className="text-soft wrap-anywhere">
            {current.created_at ? (
              <>
                {texts.since} <When at={current.created_at} isExact />. {current.reason}
              </>
            ) : (
              texts.shipped
            )}
          </p>
        </div>
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          <PriceCurves prices={current.prices} />
          <PriceGrid prices={current.prices} />
        </div>
      </Card>
      <h2>{texts.history}</h2>
      <DataTable
        caption={texts.history}
        columns={versionColumns}
        rows={rows}
        keyOf={({ version }) => String(version)}
        empty=""
      />
    </>
  )
}

type Row = PriceVersion & { isCurrent: boolean; changes: number }

const versionColumns: Column<Row>[] = [
  {
    title: texts.columns.version,
    show: ({ version, isCurrent }) => (
      <span className="inline-flex items-center gap-2 font-semibold">
        {version} {isCurrent ? <Badge tone="good">{texts.current}</Badge> : null}
      </span>
    ),
  },
  {
    title: texts.columns.at,
    show: ({ created_at }) => (created_at ? <When at={created_at} /> : texts.fromStart),
  },
  { title: texts.columns.why, isLong: true, show: ({ reason }) => reason ?? texts.shipped },
  { title: texts.who, show: ({ actor_id }) => <Author id={actor_id} /> },
  {
    title: texts.columns.changes,
    isAtEnd: true,
    show: ({ version, changes }) => (version === 0 ? '' : texts.changed(changes)),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ version }) => (
      <Link
        to="/admin/prices/new"
        search={{ from: String(version) } as never}
        className={buttonLook('quiet')}
      >
        {texts.again}
        <span className="sr-only">: {version}</span>
      </Link>
    ),
  },
]

const Author = ({ id }: { id: string | null }) =>
  id ? (
    <Link to="/admin/users/$id" params={{ id }} className="text-main underline">
      {texts.someone}
    </Link>
  ) : null

const curvesTexts = texts.curves

type LengthRow = { length: number; lowest: number | null; highest: number | null }

/** The prices as curves: over the score, and the lowest and highest price over the length. */
function PriceCurves({ prices }: { prices: PriceTable }) {
  const lengths = Array.from({ length: MAX_EMOJIS }, (_, nth) => rowOf(nth + 1, prices))
  return (
    <div className="grid min-w-0 content-start gap-5">
      <figure className="grid min-w-0 gap-2">
        <figcaption className="font-semibold">{curvesTexts.byScore}</figcaption>
        <Curves
          label={curvesTexts.scoreLabel}
          points={scorePoints(prices)}
          lines={['dollars']}
          shape="lines"
        />
      </figure>
      <figure className="grid min-w-0 gap-2">
        <figcaption className="font-semibold">{curvesTexts.byLength}</figcaption>
        <Legend lines={lengthLines} />
        <Curves
          label={curvesTexts.lengthLabel}
          points={lengths.map(({ length, lowest, highest }) => ({
            tick: String(length),
            title: curvesTexts.emojis(length),
            values: [lowest, highest],
          }))}
          lines={lengthLines}
          shape="dotted lines"
        />
        <details>
          <summary className="min-h-6 w-fit cursor-pointer text-sm text-main underline underline-offset-4">
            {curvesTexts.table}
          </summary>
          <div className="mt-3">
            <DataTable
              caption={curvesTexts.byLength}
              columns={priceColumns}
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
    title: curvesTexts.atScore(nth + 1),
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

type LineName = keyof typeof curvesTexts.lines
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
        {curvesTexts.lines[line]}
      </li>
    ))}
  </ul>
)

/** Prices span four powers of ten. */
const Curves = ({ label, points, lines, shape }: CurvesProps) => (
  <Chart
    label={label}
    shape={shape}
    series={lines.map((line) => ({ name: curvesTexts.lines[line], ...looks[line] }))}
    points={points}
    scale={powerScale(points.flatMap(({ values }) => values.flatMap((value) => value ?? [])))}
    show={(cents) => moneyText(cents).replace('.00', '')}
  />
)

const priceColumns: Column<LengthRow>[] = [
  { title: curvesTexts.columns.length, show: ({ length }) => curvesTexts.emojis(length) },
  {
    title: curvesTexts.columns.lowest,
    isAtEnd: true,
    show: ({ lowest }) => <Price cents={lowest} />,
  },
  {
    title: curvesTexts.columns.highest,
    isAtEnd: true,
    show: ({ highest }) => <Price cents={highest} />,
  },
]
