import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { freeCeiling } from '../../api/addresses.ts'
import { discountOf, feesOf, goodsOf, type Order, receivedOf } from '../../api/shop.ts'
import { Button } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { Waiting } from '../../design/waiting.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { Conditions } from './conditions.tsx'
import { CryptoPayment } from './crypto-payment.tsx'
import { OwnerKey } from './owner-key.tsx'
import { SavedCards, useSavedCards } from './saved-cards.tsx'
import { texts } from './texts.ts'
import { useFree, usePayByCard, usePayByCrypto } from './use-checkout.ts'

/** The ways to pay the held order. */
export function Payment({ order }: { order: Order }) {
  const due = order.remaining_due_in_cents
  return (
    <Card className="grid gap-4">
      <h2>{texts.payTitle}</h2>
      {isOnItsWay(order) ? null : (
        <>
          <Conditions />
          <OwnerKey />
        </>
      )}
      {due === 0 ? (
        <FreeOrder order={order} />
      ) : isOnItsWay(order) ? (
        <PendingPayment order={order} />
      ) : (
        <Providers order={order} />
      )}
    </Card>
  )
}

/** The full payment was seen: the buyer must not pay again. */
export function isOnItsWay(order: Order): boolean {
  const isShort = order.payment_method_data?.methods.some(({ amount }) => amount > 0) ?? false
  return order.payment_under_way && receivedOf(order) === 0 && !isShort
}

const PendingPayment = ({ order }: { order: Order }) => (
  <div role="status" className="grid gap-2">
    <p className="text-lg font-semibold">{texts.onItsWay}</p>
    <p className="text-soft">{texts.onItsWayText(order.user.email)}</p>
    <Waiting text={sharedTexts.waitingForMoney} />
  </div>
)

function FreeOrder({ order }: { order: Order }) {
  const free = useFree()
  return (
    <>
      <p>{texts.freeText}</p>
      <Button isBusy={free.isPending} onClick={() => free.mutate(order.id)}>
        {texts.free}
      </Button>
      <ErrorOf thrown={free.error} />
    </>
  )
}

function Providers({ order }: { order: Order }) {
  const card = usePayByCard()
  const crypto = usePayByCrypto()
  const hasSavedCards = useSavedCards().length > 0 && !order.payment_under_way
  const data = order.payment_method_data
  const isCrypto = data?.method === 'CryptoCommerce'
  return (
    <>
      {order.payment_under_way ? <ReceivedAmount order={order} /> : <Allowance order={order} />}
      <p className="flex items-baseline justify-between gap-4">
        {texts.left}
        <span className="text-lg font-semibold">
          <Money cents={order.remaining_due_in_cents} />
        </span>
      </p>
      {order.payment_under_way ? null : <SavedCards order={order} />}
      <Button
        look={isCrypto ? 'second' : 'main'}
        isBusy={card.isPending}
        onClick={() => card.mutate(order.id)}
      >
        {hasSavedCards ? texts.payOtherCard : texts.payCard}
      </Button>
      <p className="text-sm text-soft">{texts.payCardHint}</p>
      {isCrypto ? null : (
        <Button look="second" isBusy={crypto.isPending} onClick={() => crypto.mutate(order.id)}>
          {texts.payCrypto}
        </Button>
      )}
      <ErrorOf thrown={card.error ?? crypto.error} />
      {isCrypto ? <CryptoPayment data={data} /> : null}
    </>
  )
}

const ReceivedAmount = ({ order }: { order: Order }) => (
  <p role="status" className="rounded-field bg-good-ground px-3 py-2 font-medium text-good">
    {receivedOf(order) > 0 ? (
      <>
        {texts.arrived} <Money cents={receivedOf(order)} />
      </>
    ) : (
      texts.partOnItsWay
    )}
  </p>
)

/** The free ids of an account, offered if all ids in the cart qualify. */
function Allowance({ order }: { order: Order }) {
  const { data: account } = useQuery(accountQuery)
  const free = useFree()
  const freeCount = account?.user.remaining_free_emoji ?? 0
  const goods = goodsOf(order)
  // A discount does not make an expensive id free.
  const dear = goods
    .map((item) => ({ price: item.unit_price_in_cents + feesOf(item), item }))
    .filter(({ price, item }) => price > discountOf(item, order))
  const isCovered =
    freeCeiling > 0 &&
    dear.length > 0 &&
    dear.length <= freeCount &&
    dear.every(({ price }) => price <= freeCeiling) &&
    goods.every(({ item_type }) => item_type === 'EmojiId')
  if (!isCovered) return null
  return (
    <div className="grid gap-3 border-b border-hair pb-4">
      <p>{texts.allowanceText(freeCount)}</p>
      <Button isBusy={free.isPending} onClick={() => free.mutate(order.id)}>
        {texts.allowance(dear.length)}
      </Button>
      <ErrorOf thrown={free.error} />
    </div>
  )
}
