import type { AdminOrder } from '../../../api/admin-orders.ts'
import { Badge } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { Money } from '../../../design/money.tsx'
import { CodeLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.items
type Item = AdminOrder['order_items'][number]

export const Items = ({ order }: { order: AdminOrder }) => (
  <ListPanel title={texts.title}>
    <DataTable
      caption={texts.caption}
      columns={columns}
      rows={order.order_items}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)

const columns: Column<Item>[] = [
  { title: texts.columns.item, show: (item) => <ItemName {...item} /> },
  {
    title: texts.columns.price,
    isAtEnd: true,
    show: ({ unit_price_in_cents }) => <Money cents={unit_price_in_cents} />,
  },
  {
    title: texts.columns.fees,
    isAtEnd: true,
    show: (item) => <Money cents={item.client_fee_in_cents + item.company_fee_in_cents} />,
  },
  { title: texts.columns.state, show: (item) => <ItemState {...item} /> },
]

function ItemName({ item_type, emoji_id, code_id }: Item) {
  if (emoji_id) {
    return (
      <span className="grid justify-items-start gap-1">
        <EmojiId id={emoji_id} size="small" />
        <span aria-hidden="true" className="text-sm text-soft">
          {spokenNames(emoji_id)}
        </span>
      </span>
    )
  }
  if (item_type === 'LootBox') return texts.box
  return code_id ? <CodeLink id={code_id}>{texts.discount}</CodeLink> : texts.discount
}

/** Obstacles of the item itself, not of its order. */
const ownObstacles = new Set<string>(['not_owned', 'minted', 'signature_live', 'opened'])

function ItemState({ refunded_quantity, refund_obstacle, marked_invalid_at_reason }: Item) {
  if (refunded_quantity > 0) return <Badge>{texts.refunded}</Badge>
  if (refund_obstacle && ownObstacles.has(refund_obstacle)) return texts.obstacles[refund_obstacle]
  if (marked_invalid_at_reason) {
    return <Badge tone="wrong">{texts.invalid[marked_invalid_at_reason]}</Badge>
  }
  return '—'
}
