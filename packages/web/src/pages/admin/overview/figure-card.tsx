import { Link, type LinkProps } from '@tanstack/react-router'
import { DayChart } from '../../../design/charts/day-chart.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { language } from '../../../language.ts'
import type { Figure } from './queries.ts'
import { texts } from './texts.ts'

type Props = { title: string; unit: string; link: string; to: LinkProps; figure: Figure }
type Day = Figure['days'][number]

/** A number with its chart, the table behind the chart, and a link to the list. */
export function FigureCard({ title, unit, link, to, figure }: Props) {
  const { total, total_in_cents, days } = figure
  return (
    <Card className="grid min-w-0 content-start gap-3">
      <h2>{title}</h2>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-3xl font-bold tabular-nums">{total.toLocaleString(language)}</span>
        {total_in_cents === undefined ? null : (
          <span className="text-soft">
            <Money cents={total_in_cents} />
          </span>
        )}
      </p>
      <DayChart label={texts.chart(title)} unit={unit} days={days} />
      <details>
        <summary className="min-h-6 w-fit cursor-pointer text-sm text-main underline underline-offset-4">
          {texts.table}
          <span className="sr-only">: {title}</span>
        </summary>
        <div className="mt-3">
          <DataTable
            caption={texts.caption(title)}
            columns={total_in_cents === undefined ? columns : [...columns, amount]}
            rows={days.toReversed()}
            keyOf={({ day }) => day}
            empty=""
          />
        </div>
      </details>
      <Link {...to} className="min-h-6 w-fit text-main underline underline-offset-4">
        {link}
      </Link>
    </Card>
  )
}

const columns: Column<Day>[] = [
  { title: texts.columns.day, show: ({ day }) => day },
  {
    title: texts.columns.count,
    isAtEnd: true,
    show: ({ count }) => <span className="tabular-nums">{count.toLocaleString(language)}</span>,
  },
]

const amount: Column<Day> = {
  title: texts.columns.amount,
  isAtEnd: true,
  show: ({ amount_in_cents = 0 }) => <Money cents={amount_in_cents} />,
}
