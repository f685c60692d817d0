import { useQuery } from '@tanstack/react-query'
import { optionsOf } from '../../../design/field.tsx'
import { FilterDay, FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { texts as adminTexts } from '../texts.ts'
import { queueColumns } from './columns.tsx'
import { otherStates, reportCategories, reportFilters, reportPageQuery } from './queries.ts'
import { texts } from './texts.ts'

const stateOptions = optionsOf(otherStates, texts.states)
const categoryOptions = optionsOf(reportCategories, adminTexts.reports.categories)

/** The queue of reported ids. */
export function ReportsPage() {
  const { page, filters, field } = useList({
    id: 'text',
    state: otherStates,
    category: reportCategories,
    from: 'day',
    to: 'day',
  })
  const answer = useQuery(reportPageQuery(page, filters))
  return (
    <ListPage
      title={adminTexts.sections.reports}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.id} {...field('id')} />
          <FilterSelect
            label={texts.state}
            all={texts.openOnly}
            options={stateOptions}
            {...field('state')}
          />
          <FilterSelect
            label={texts.category}
            all={texts.everyCategory}
            options={categoryOptions}
            {...field('category')}
          />
          <FilterDay label={texts.from} {...field('from')} />
          <FilterDay label={texts.to} {...field('to')} />
        </Filters>
      }
      answer={answer}
      csv={{ path: '/admin/reports/export', name: 'reports', filters: reportFilters(filters) }}
      texts={texts}
      columns={queueColumns}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}
