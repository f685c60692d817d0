import { useQuery } from '@tanstack/react-query'
import {
  orderFilters,
  orderPageQuery,
  orderStates,
  requestStates,
} from '../../../api/admin-orders.ts'
import { FilterDay } from '../../../design/filter-day.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { optionsOf } from '../../../design/select.tsx'
import { searchFilter } from '../read-id.ts'
import { texts as adminTexts } from '../texts.ts'
import { orderColumns } from './columns.tsx'
import { RefundList } from './refund-list.tsx'
import { texts } from './texts.ts'
import { Views, views } from './views.tsx'

const stateOptions = optionsOf(orderStates, texts.states)

const requestOptions = [{ value: 'handled' as const, text: texts.requestStates.handled }]

export function OrdersPage() {
  const { filters } = useList({ view: views })
  const isRefunds = filters.view === 'refunds'
  return (
    <Section title={adminTexts.sections.orders} text={isRefunds ? texts.refund.text : texts.text}>
      <Views current={filters.view} />
      {isRefunds ? <RefundList /> : <OrderList isRequests={filters.view === 'requests'} />}
    </Section>
  )
}

function OrderList({ isRequests }: { isRequests: boolean }) {
  const { page, filters, field } = useList({
    q: 'text',
    status: orderStates,
    from: 'day',
    to: 'day',
    request: requestStates,
  })
  const { request, ...asked } = filters
  // Open requests come first.
  const refund_request = isRequests ? (request ?? 'open') : undefined
  const { q, ...others } = asked
  const question = { ...others, ...searchFilter(q), refund_request }
  const answer = useQuery(orderPageQuery({ page, ...question }))
  return (
    <PagedTable
      answer={answer}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          {isRequests ? (
            <FilterSelect
              label={texts.request}
              all={texts.requestStates.open}
              options={requestOptions}
              {...field('request')}
            />
          ) : null}
          <FilterSelect
            label={texts.state}
            all={texts.everyState}
            options={stateOptions}
            {...field('status')}
          />
          <FilterDay label={texts.from} {...field('from')} />
          <FilterDay label={texts.to} {...field('to')} />
        </Filters>
      }
      texts={texts}
      columns={orderColumns}
      csv={{ path: '/orders/export', name: 'orders', filters: orderFilters(question) }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}
