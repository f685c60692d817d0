import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orderPageQuery } from '../../../api/admin-orders.ts'
import { buttonLook } from '../../../design/button.tsx'
import { DataTable } from '../../../design/data-table.tsx'
import { columnsOfOneBuyer } from '../orders/columns.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.orders

export function OrdersPanel({ id }: { id: string }) {
  const { data, error } = useQuery(orderPageQuery({ page: 0, limit: 5, user_id: id }))
  return (
    <ListPanel
      title={texts.title}
      actions={
        <Link to="/admin/orders" search={{ q: id }} className={buttonLook('second')}>
          {texts.all}
        </Link>
      }
    >
      <DataTable
        caption={texts.caption}
        columns={columnsOfOneBuyer}
        rows={data?.data}
        keyOf={(order) => order.id}
        error={error}
        empty={texts.none}
      />
    </ListPanel>
  )
}
