import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { optionsOf } from '../../../design/select.tsx'
import { refundPageQuery, refundStates } from './queries.ts'
import { refundColumns } from './refund-columns.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.refund
const stateOptions = optionsOf(refundStates, texts.states)

/** The refunds of all orders. */
export function RefundList() {
  const { page, filters, field } = useList({ state: refundStates })
  const answer = useQuery(refundPageQuery({ page, status: filters.state }))
  return (
    <PagedTable
      answer={answer}
      filters={
        <Filters label={texts.filters}>
          <FilterSelect
            label={texts.state}
            all={texts.everyState}
            options={stateOptions}
            {...field('state')}
          />
        </Filters>
      }
      texts={texts}
      columns={refundColumns}
      csv={{
        path: '/refunds/export',
        name: 'refunds',
        filters: { dir: 'Desc', ...omitEmpty({ status: filters.state }) },
      }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}
