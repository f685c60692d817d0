import { useQuery } from '@tanstack/react-query'
import { type LinkProps, linkOptions } from '@tanstack/react-router'
import { When } from '../../../design/date.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { IdFinder } from '../parts/id-finder.tsx'
import { texts as adminTexts } from '../texts.ts'
import { FigureCard } from './figure-card.tsx'
import { figuresQuery } from './queries.ts'
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
