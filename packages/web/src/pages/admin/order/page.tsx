import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { DataTable } from '../../../design/data-table.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { Section } from '../../../design/section.tsx'
import { columnsOfOneOrder } from '../orders/refund-columns.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { OrderActions } from './actions.tsx'
import { Attempts } from './attempts.tsx'
import { Items } from './items.tsx'
import { Ledger } from './ledger.tsx'
import { adminOrderQuery } from './queries.ts'
import { RefundRequest } from './refund-request.tsx'
import { Summary } from './summary.tsx'
import { texts } from './texts.ts'

/** One order with its ledger. */
export function OrderPage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(adminOrderQuery(id))
  if (!data) {
    return (
      <Section title={texts.plainTitle}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const { order, books, refunds } = data
  return (
    <Section title={texts.title(order.order_number)}>
      <OrderActions order={order} books={books} />
      <RefundRequest order={order} />
      <Summary order={order} />
      <Items order={order} />
      <Ledger entries={books.entries} />
      <ListPanel title={texts.refunds.title}>
        <DataTable
          caption={texts.refunds.caption}
          columns={columnsOfOneOrder}
          rows={refunds}
          keyOf={(refund) => refund.id}
          empty={texts.refunds.none}
        />
      </ListPanel>
      <Attempts attempts={books.attempts} />
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/orders" className={buttonLook()}>
    {texts.back}
  </Link>
)
