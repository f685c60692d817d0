import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../../../api/account.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { goodsOf, type Order } from '../../../api/shop.ts'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { Money } from '../../../design/money.tsx'
import { ListPage } from '../../../design/paged-table.tsx'
import { OrderState } from '../../orders/state.tsx'
import { texts as sharedTexts } from '../../texts.ts'
import { GoodsList } from '../goods-list.tsx'
import { texts as accountTexts } from '../texts.ts'
import { orderStatuses, ownOrderPageQuery } from './queries.ts'
import { texts } from './texts.ts'

const options = optionsOf(orderStatuses, accountTexts.orders.statuses)

export function OrdersPage() {
  const { page, filters, field } = useList({ status: orderStatuses })
  const { data: account } = useQuery(accountQuery)
  const user_id = account?.user.id ?? ''
  const answer = useQuery({
    ...ownOrderPageQuery({ user_id, page, status: filters.status }),
    enabled: user_id !== '',
  })
  const { data } = answer
  const hasNone = data?.paging.total === 0 && !filters.status
  return (
    <ListPage
      title={accountTexts.sections.orders}
      filters={
        <Filters label={texts.filters}>
          <FilterSelect
            label={texts.status}
            all={texts.everyStatus}
            options={options}
            {...field('status')}
          />
        </Filters>
      }
      answer={answer}
      csv={{
        path: '/orders/export',
        name: 'orders',
        filters: { user_id, placed: true, ...omitEmpty(filters) },
      }}
      texts={texts}
      columns={columns}
      keyOf={({ id }) => id}
      empty={filters.status ? texts.notFound : <NoOrders />}
      hasNone={hasNone}
    />
  )
}

const NoOrders = () => (
  <>
    <p className="text-soft">{texts.none}</p>
    <Link to="/" className={buttonLook()}>
      {texts.find}
    </Link>
  </>
)

const columns: Column<Order>[] = [
  {
    title: texts.columns.order,
    show: ({ id, order_number, paid_at, created_at }) => (
      <span className="grid gap-0.5">
        <Link
          to="/orders/$id"
          params={{ id }}
          className="min-h-6 font-semibold whitespace-nowrap text-main underline underline-offset-4"
        >
          {sharedTexts.order(order_number)}
        </Link>
        <span className="text-sm text-soft">
          <When at={paid_at ?? created_at} />
        </span>
      </span>
    ),
  },
  { title: texts.columns.goods, show: (order) => <GoodsList goods={goodsOf(order)} /> },
  { title: texts.columns.state, show: (order) => <OrderState order={order} /> },
  {
    title: texts.columns.total,
    isAtEnd: true,
    show: ({ total_in_cents }) => <Money cents={total_in_cents} />,
  },
]
