import { useQuery } from '@tanstack/react-query'
import { FilterDay, readDay } from '../../../design/filter-day.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { language } from '../../../language.ts'
import { texts as adminTexts } from '../texts.ts'
import { auditColumns } from './columns.tsx'
import { auditPageQuery } from './queries.ts'
import { eventTexts, texts } from './texts.ts'

const eventOptions = Object.entries(eventTexts)
  .map(([value, words]) => ({ value, text: words }))
  .sort((a, b) => a.text.localeCompare(b.text, language))

export function AuditPage() {
  const { page, filters, change } = useList({
    person: 'text',
    event: 'text',
    from: 'text',
    to: 'text',
  })
  const { person, event } = filters
  const [from, to] = [readDay(filters.from), readDay(filters.to)]
  const answer = useQuery(auditPageQuery({ page, person, event, from, to }))
  return (
    <Section title={adminTexts.sections.audit} text={texts.text}>
      <Filters label={texts.filters}>
        <SearchField
          label={texts.person}
          hint={texts.personHint}
          value={person}
          onChange={(text) => change({ person: text })}
        />
        <FilterSelect
          label={texts.event}
          all={texts.everyEvent}
          options={eventOptions}
          value={event}
          onChange={(word) => change({ event: word })}
        />
        <FilterDay label={texts.from} value={from} onChange={(day) => change({ from: day })} />
        <FilterDay label={texts.to} value={to} onChange={(day) => change({ to: day })} />
      </Filters>
      <PagedTable
        answer={answer}
        caption={texts.caption}
        columns={auditColumns}
        keyOf={({ id }) => id}
        empty={texts.none}
        pages={texts.pages}
      />
    </Section>
  )
}
