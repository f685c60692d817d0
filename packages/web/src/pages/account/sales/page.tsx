import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { addresses } from '../../../api/addresses.ts'
import { sellersOf } from '../../../api/sales.ts'
import { goodsOf } from '../../../api/shop.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf, Select } from '../../../design/field.tsx'
import { FilterDay, FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { Money } from '../../../design/money.tsx'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { GoodsList } from '../goods-list.tsx'
import { texts as accountTexts } from '../texts.ts'
import { ownOrganizationsQuery, type Sale, saleStatuses, salesQuery } from './queries.ts'
import { texts } from './texts.ts'

const { statuses } = accountTexts.orders
const options = optionsOf(saleStatuses, statuses)

export function SalesPage() {
  const { data: account } = useQuery(accountQuery)
  const sellers = sellersOf(account)
  const { filters, field } = useList({ organization: 'text' })
  const seller = sellers.find((id) => id === filters.organization) ?? sellers[0]
  return (
    <Section title={accountTexts.sections.sales} text={texts.text}>
      {account && !seller ? <p className="text-soft">{texts.noRole}</p> : null}
      {sellers.length > 1 ? (
        <Sellers ids={sellers} value={seller ?? ''} onChange={field('organization').onChange} />
      ) : null}
      {seller ? <Sales organization_id={seller} /> : null}
    </Section>
  )
}

type SellersProps = { ids: readonly string[]; value: string; onChange: (id: string) => void }

function Sellers({ ids, value, onChange }: SellersProps) {
  const { data: organizations = [] } = useQuery(ownOrganizationsQuery)
  const named = organizations.filter(({ id }) => ids.includes(id))
  return (
    <Select
      label={texts.organization}
      options={named.map(({ id, name }) => ({ value: id, text: name }))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function Sales({ organization_id }: { organization_id: string }) {
  const { page, filters, field } = useList({
    q: 'text',
    status: saleStatuses,
    from: 'day',
    to: 'day',
  })
  const answer = useQuery(salesQuery({ organization_id, page, ...filters }))
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  return (
    <>
      <Filters label={texts.filters}>
        <SearchField label={texts.search} {...field('q')} />
        <FilterSelect
          label={texts.status}
          all={texts.everyStatus}
          options={options}
          {...field('status')}
        />
        <FilterDay label={texts.from} {...field('from')} />
        <FilterDay label={texts.to} {...field('to')} />
      </Filters>
      {answer.data?.sums ? <Sums sums={answer.data.sums} /> : null}
      <PagedTable
        answer={answer}
        texts={texts}
        columns={columns}
        keyOf={({ id }) => id}
        empty={isFiltered ? texts.notFound : <NoSales />}
      />
    </>
  )
}

const NoSales = () => (
  <>
    <p className="text-soft">{texts.none}</p>
    <a href={`${addresses.api}/docs`} className={buttonLook('second')}>
      {texts.docs}
    </a>
  </>
)

type SalesSums = {
  paid_orders: number
  total_in_cents: number
  refunded_total_in_cents: number
  client_fee_in_cents: number
}

const Sums = ({ sums }: { sums: SalesSums }) => (
  <section aria-label={texts.sums} className="grid gap-2 rounded-field bg-tint p-4">
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      <div>
        <dt className="text-sm text-soft">{texts.paidOrders}</dt>
        <dd className="text-lg font-semibold tabular-nums">{sums.paid_orders}</dd>
      </div>
      <Sum name={texts.total} cents={sums.total_in_cents} />
      <Sum name={texts.refunded} cents={sums.refunded_total_in_cents} />
      <Sum name={texts.fees} cents={sums.client_fee_in_cents} />
    </dl>
    <p className="text-sm text-soft">{texts.earned}</p>
  </section>
)

const Sum = ({ name, cents }: { name: string; cents: number }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="text-lg font-semibold">
      <Money cents={cents} />
    </dd>
  </div>
)

const columns: Column<Sale>[] = [
  {
    title: texts.columns.order,
    show: ({ order_number, paid_at, created_at }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold whitespace-nowrap">{order_number}</span>
        <span className="text-sm text-soft">
          <When at={paid_at ?? created_at} />
        </span>
      </span>
    ),
  },
  { title: texts.columns.goods, show: (sale) => <GoodsList goods={goodsOf(sale)} /> },
  { title: texts.columns.state, show: (sale) => <SaleState sale={sale} /> },
  {
    title: texts.columns.total,
    isAtEnd: true,
    show: ({ total_in_cents }) => <Money cents={total_in_cents} />,
  },
  {
    title: texts.columns.fee,
    isAtEnd: true,
    show: ({ client_fee_in_cents = 0 }) => <Money cents={client_fee_in_cents} />,
  },
]

function SaleState({ sale }: { sale: Sale }) {
  if (sale.status === 'Draft') return null
  const isBack = sale.refunded_total_in_cents > 0
  const disputed = sale.disputed_total_in_cents ?? 0
  const isWhole = sale.status === 'Paid' && !isBack && disputed === 0
  return (
    <span className="grid justify-items-end gap-1 md:justify-items-start">
      <Badge tone={isWhole ? 'good' : 'plain'}>
        {isBack && sale.status === 'Paid' ? texts.refunded : statuses[sale.status]}
      </Badge>
      {disputed > 0 ? (
        <span className="text-sm text-soft">
          {texts.disputed} <Money cents={disputed} />
        </span>
      ) : null}
    </span>
  )
}
