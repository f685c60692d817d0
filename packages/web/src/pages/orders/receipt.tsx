import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Order, ownedItemsOf } from '../../api/shop.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId, spokenNames } from '../../design/emoji-id.tsx'
import { Card } from '../../design/feedback.tsx'
import { useVisit } from '../../design/use-visit.ts'
import { hourMs } from '../../time.ts'
import { Goods } from '../cart/goods.tsx'
import { PartnerStep } from '../partner/after-receipt.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { AddressForm } from './address-form.tsx'
import { Invoice } from './invoice.tsx'
import { Lines } from './lines.tsx'
import { ReceiptActions } from './receipt-actions.tsx'
import { RefundSection } from './refund-section.tsx'
import { isFullyRefunded } from './state.tsx'
import { receiptTexts, texts } from './texts.ts'

const newsMs = hourMs

/** An old receipt needs no congratulation. */
const isNews = ({ paid_at }: Order): boolean =>
  Date.now() - new Date(paid_at ?? '').getTime() < newsMs

export function Receipt({ order }: { order: Order }) {
  const ownedItems = ownedItemsOf(order)
  const isVisit = useVisit()?.flow === 'create'
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <Title order={order} />
      {ownedItems.map(({ id: item_id, emoji_id: id, main_id, refund_obstacle }) =>
        id ? (
          <OwnedItem key={item_id} id={id}>
            {isVisit ? <PartnerStep id={id} /> : null}
            {!isVisit && isNews(order) ? <AddressForm id={id} /> : null}
          </OwnedItem>
        ) : main_id && refund_obstacle !== 'opened' ? (
          <Box key={item_id} id={main_id} />
        ) : null,
      )}
      <Card className="grid gap-4">
        <h2 className="print:hidden">{texts.receipt}</h2>
        {isVisit ? null : <Invoice order={order} />}
        <Goods order={order} />
        <div className="border-t border-hair pt-4">
          <Lines order={order} />
        </div>
        {isVisit ? null : <ReceiptActions order={order} />}
      </Card>
      {isVisit ? null : <RefundSection order={order} />}
    </div>
  )
}

function Title({ order }: { order: Order }) {
  if (isFullyRefunded(order)) {
    return (
      <div className="grid gap-1.5">
        <h1>{receiptTexts.back}</h1>
        <p className="text-soft">{receiptTexts.backText}</p>
      </div>
    )
  }
  const count = ownedItemsOf(order).length
  if (count === 0 || !isNews(order)) {
    return <h1>{sharedTexts.order(order.order_number)}</h1>
  }
  return (
    <div role="status" className="grid gap-1.5">
      <h1>{count > 1 ? texts.paidManyTitle : texts.paidTitle}</h1>
      <p className="wrap-anywhere text-soft print:hidden">{texts.paidText(order.user.email)}</p>
    </div>
  )
}

const OwnedItem = ({ id, children }: { id: string; children: ReactNode }) => (
  <Card className="grid gap-5 print:hidden">
    <div className="flex flex-wrap items-center justify-between gap-4">
      <EmojiId id={id} size="large" />
      <span className="flex flex-wrap gap-2">
        <Link to="/account/ids/$id" params={{ id }} className={buttonLook('second')}>
          {receiptTexts.manage}
          <span className="sr-only">: {spokenNames(id)}</span>
        </Link>
        <a href={`/${encodeURIComponent(id)}`} className={buttonLook('second')}>
          {texts.page}
          <span className="sr-only">: {spokenNames(id)}</span>
        </a>
      </span>
    </div>
    {children}
  </Card>
)

const Box = ({ id }: { id: string }) => (
  <Card className="grid justify-items-start gap-4 print:hidden">
    <div className="grid gap-1.5">
      <h2>{receiptTexts.boxTitle}</h2>
      <p className="text-soft">{receiptTexts.boxText}</p>
    </div>
    <Link to="/account/lootboxes/$id" params={{ id }} className={buttonLook()}>
      {receiptTexts.boxOpen}
    </Link>
  </Card>
)
