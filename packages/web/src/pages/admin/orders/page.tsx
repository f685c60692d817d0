import { useQuery } from '@tanstack/react-query'
import { orderPageQuery, orderStates, requestStates } from '../../../api/admin-orders.ts'
import { FilterDay, readDay } from '../../../design/filter-day.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { texts as adminTexts } from '../texts.ts'
import { orderColumns } from './columns.tsx'
import { RefundList } from './refund-list.tsx'
import { texts } from './texts.ts'
import { Views, views } from './views.tsx'

const stateOptions = orderStates.map((value) => ({ value, text: texts.states[value] }))

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
  const { page, filters, change } = useList({
    q: 'text',
    status: orderStates,
    from: 'text',
    to: 'text',
    request: requestStates,
  })
  const { q, status } = filters
  const [from, to] = [readDay(filters.from), readDay(filters.to)]
  // Those that wait for somebody come first.
  const refund_request = isRequests ? (filters.request ?? 'open') : undefined
  const answer = useQuery(orderPageQuery({ page, q, status, from, to, refund_request }))
  return (
    <>
      <Filters label={texts.filters}>
        <SearchField
          label={texts.search}
          hint={texts.searchHint}
          value={q}
          onChange={(text) => change({ q: text })}
        />
        {isRequests ? (
          <FilterSelect
            label={texts.request}
            all={texts.requestStates.open}
            options={requestOptions}
            value={filters.request}
            onChange={(request) => change({ request })}
          />
        ) : null}
        <FilterSelect
          label={texts.state}
          all={texts.everyState}
          options={stateOptions}
          value={status}
          onChange={(state) => change({ status: state })}
        />
        <FilterDay label={texts.from} value={from} onChange={(day) => change({ from: day })} />
        <FilterDay label={texts.to} value={to} onChange={(day) => change({ to: day })} />
      </Filters>
      <PagedTable
        answer={answer}
        caption={texts.caption}
        columns={orderColumns}
        keyOf={({ id }) => id}
        empty={texts.notFound}
        pages={texts.pages}
      />
    </>
  )
}
