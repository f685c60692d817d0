import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { Money } from '../../../design/money.tsx'
import { ListPage } from '../../../design/paged-table.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type DisputeView, disputeFilters, disputePageQuery, disputeStates } from './queries.ts'
import { DisputeState } from './state.tsx'
import { texts } from './texts.ts'

const stateOptions = optionsOf(disputeStates, texts.states)

/** The disputes, and which of them need a decision. */
export function DisputesPage() {
  const { page, filters, field } = useList({ state: disputeStates })
  const answer = useQuery(disputePageQuery({ page, state: filters.state }))
  return (
    <ListPage
      title={adminTexts.sections.disputes}
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
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{
        path: '/disputes/export',
        name: 'disputes',
        filters: disputeFilters(filters.state),
      }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}

const columns: Column<DisputeView>[] = [
  {
    title: texts.columns.amount,
    show: ({ amount_in_cents }) => (
      <span className="font-semibold">
        <Money cents={amount_in_cents} />
      </span>
    ),
  },
  {
    title: texts.columns.order,
    show: ({ order_id, order_number }) => (
      <OrderLink id={order_id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
    ),
  },
  {
    title: texts.columns.buyer,
    show: ({ user }) => <PersonLink id={user.id} email={user.email} />,
  },
  { title: texts.columns.state, show: (dispute) => <DisputeState dispute={dispute} /> },
  { title: texts.columns.reason, show: ({ reason }) => reason.replaceAll('_', ' ') },
  { title: texts.columns.opened, show: ({ opened_at }) => <When at={opened_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ id, order_number }) => (
      <Link to="/admin/disputes/$id" params={{ id }} className={buttonLook('second')}>
        {texts.look}
        <span className="sr-only">: {order_number}</span>
      </Link>
    ),
  },
]
