import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, linkOptions } from '@tanstack/react-router'
import { DayChart } from '../../../design/charts/chart.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { language } from '../../../language.ts'
import { IdFinder } from '../parts/id-finder.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type Figure, figuresQuery } from './queries.ts'
import { texts } from './texts.ts'

type Name = keyof typeof texts.figures

/** The figures in the order of the page, each with the list behind it. */
const lists: readonly (readonly [Name, LinkProps])[] = [
  ['sales', linkOptions({ to: '/admin/orders', search: { status: 'Paid' } as never })],
  ['sign_ups', linkOptions({ to: '/admin/users' })],
  ['refunds', linkOptions({ to: '/admin/orders', search: { view: 'refunds' } as never })],
  ['refund_requests', linkOptions({ to: '/admin/orders', search: { view: 'requests' } as never })],
  ['open_reports', linkOptions({ to: '/admin/reports' })],
  ['failed_jobs', linkOptions({ to: '/admin/jobs' })],
  [
    'unsent_mails',
    linkOptions({ to: '/admin/jobs', search: { task: 'notifications.send' } as never }),
  ],
]

/** The start page: the figures of the last 30 days, and the search for an id. */
export function OverviewPage() {
  const { data: figures, error } = useQuery(figuresQuery)
  return (
    <Section title={adminTexts.sections.overview} text={texts.text}>
      <IdFinder />
      {figures ? null : error ? <ErrorOf thrown={error} /> : <Waiting />}
      {figures ? (
        <>
          <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
            {lists.map(([name, link]) => {
              const figure = figures[name]
              return figure ? (
                <FigureCard key={name} {...texts.figures[name]} figure={figure} to={link} />
              ) : null
            })}
          </div>
          <p className="text-sm text-soft">
            {texts.asOf} <When at={figures.as_of} />
          </p>
        </>
      ) : null}
    </Section>
  )
}

type Props = { title: string; unit: string; link: string; to: LinkProps; figure: Figure }
type Day = Figure['days'][number]

/** A number with its chart, the table behind the chart, and a link to the list. */
function FigureCard({ title, unit, link, to, figure }: Props) {
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
