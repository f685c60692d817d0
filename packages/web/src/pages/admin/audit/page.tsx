import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { FilterDay, FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { language } from '../../../language.ts'
import { readTypedId } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { auditColumns } from './columns.tsx'
import { auditPageQuery } from './queries.ts'
import { eventTexts, texts } from './texts.ts'

const eventOptions = Object.entries(eventTexts)
  .map(([value, words]) => ({ value, text: words }))
  .sort((a, b) => a.text.localeCompare(b.text, language))

export function AuditPage() {
  const { page, filters, field } = useList({
    person: 'text',
    event: 'text',
    id: 'text',
    from: 'day',
    to: 'day',
  })
  const { id, ...others } = filters
  const filter = omitEmpty({ ...others, emoji_id: id && (readTypedId(id) ?? id) })
  const answer = useQuery(auditPageQuery(page, filter))
  return (
    <ListPage
      title={adminTexts.sections.audit}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.person} hint={texts.personHint} {...field('person')} />
          <SearchField label={texts.id} hint={texts.idHint} {...field('id')} />
          <FilterSelect
            label={texts.event}
            all={texts.everyEvent}
            options={eventOptions}
            {...field('event')}
          />
          <FilterDay label={texts.from} {...field('from')} />
          <FilterDay label={texts.to} {...field('to')} />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={auditColumns}
      csv={{ path: '/admin/audit/export', name: 'audit-log', filters: filter }}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  )
}
