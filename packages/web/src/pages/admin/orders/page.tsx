import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orderFilters, orderPageQuery, orderStates, requestStates } from '../../../api/admin.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { buttonLook } from '../../../design/button.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterDay, FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { searchFilter } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { orderColumns } from './columns.tsx'
import { refundPageQuery, refundStates } from './queries.ts'
import { refundColumns } from './refund-columns.tsx'
import { texts } from './texts.ts'

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

const views = ['requests', 'refunds'] as const

const links = [
  { view: undefined, text: texts.all },
  { view: 'requests', text: texts.requests },
  { view: 'refunds', text: texts.refunds },
] as const

/** Tabs: all orders, refund requests and refunds. */
const Views = ({ current }: { current: (typeof views)[number] | undefined }) => (
  <nav aria-label={texts.views} className="flex flex-wrap gap-2">
    {links.map(({ view, text }) => (
      <Link
        key={text}
        to="/admin/orders"
        search={view ? { view } : {}}
        activeOptions={{ exact: true, includeSearch: true }}
        activeProps={{}}
        aria-current={view === current ? 'page' : undefined}
        className={buttonLook(view === current ? 'main' : 'second')}
      >
        {text}
      </Link>
    ))}
  </nav>
)

const refundTexts = texts.refund
const refundStateOptions = optionsOf(refundStates, refundTexts.states)

/** The refunds of all orders. */
function RefundList() {
  const { page, filters, field } = useList({ state: refundStates })
  const answer = useQuery(refundPageQuery({ page, status: filters.state }))
  return (
    <PagedTable
      answer={answer}
      filters={
        <Filters label={refundTexts.filters}>
          <FilterSelect
            label={refundTexts.state}
            all={refundTexts.everyState}
            options={refundStateOptions}
            {...field('state')}
          />
        </Filters>
      }
      texts={refundTexts}
      columns={refundColumns}
      csv={{
        path: '/refunds/export',
        name: 'refunds',
        filters: { dir: 'Desc', ...omitEmpty({ status: filters.state }) },
      }}
      keyOf={({ id }) => id}
      empty={refundTexts.notFound}
    />
  )
}
