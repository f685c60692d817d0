import { useQuery } from '@tanstack/react-query'
import { DayChart } from '../../../design/charts/day-chart.tsx'
import { statsQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const { views: texts } = pageTexts

/** How often the id was looked up. Counts that the service cannot read are left out. */
export function ViewCounts({ id }: { id: string }) {
  const { data } = useQuery(statsQuery(id))
  const countOf = (name: string) => {
    const value = data?.metrics.find(({ metric }) => metric === name)?.value ?? -1
    return value < 0 ? undefined : value
  }
  const [month, today] = ['api_emoji_lookups', 'api_emoji_lookups_today'].map(countOf)
  const counts = [
    ...(today === undefined ? [] : [texts.today(today)]),
    ...(month === undefined ? [] : [texts.month(month)]),
  ]
  if (!data) return null
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-soft">
        {counts.length > 0 ? `${texts.lookups}: ${counts.join(', ')}` : texts.unknown}
      </p>
      {data.days ? <Days days={data.days} /> : null}
    </div>
  )
}

type Day = { day: string; lookups: number; pages: number }

/** Lookups and opened payment sheets by day. */
function Days({ days }: { days: readonly Day[] }) {
  const sumOf = (name: 'lookups' | 'pages') => days.reduce((sum, day) => sum + day[name], 0)
  const bars = days.map(({ day, lookups, pages }) => ({ day, count: lookups, second: pages }))
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer text-main underline underline-offset-4">
        {texts.perDay}
      </summary>
      <figure className="mt-3 grid min-w-0 gap-2">
        <figcaption>{texts.sums(sumOf('lookups'), sumOf('pages'))}</figcaption>
        <DayChart label={texts.chart} unit={texts.lookups} secondUnit={texts.sheets} days={bars} />
      </figure>
    </details>
  )
}
