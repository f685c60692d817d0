import { useQuery } from '@tanstack/react-query'
import { statsQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const { views: texts } = pageTexts

/** How often the id was looked up. Counts that the service cannot read are left out. */
export function ViewCounts({ id }: { id: string }) {
  const { data } = useQuery(statsQuery(id))
  const countOf = (wanted: string) => {
    const value = data?.metrics.find(({ metric }) => metric === wanted)?.value ?? -1
    return value < 0 ? undefined : value
  }
  const [month, today] = ['api_emoji_lookups', 'api_emoji_lookups_today'].map(countOf)
  const counts = [
    ...(month === undefined ? [] : [texts.month(month)]),
    ...(today === undefined ? [] : [texts.today(today)]),
  ]
  if (!data) return null
  return (
    <p className="text-sm text-soft">
      {counts.length > 0 ? `${texts.lookups}: ${counts.join(', ')}` : texts.unknown}
    </p>
  )
}
