import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { cartQuery, goodsOf, type Order } from '../../api/shop.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { Goods, Total } from '../cart/goods.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { AppliedCodes } from './applied-codes.tsx'
import { CodeField } from './code-field.tsx'
import { Countdown } from './countdown.tsx'
import { heldOrder } from './held-order.ts'
import { isOnItsWay, Payment } from './pay.tsx'
import { texts } from './texts.ts'
import { useHold, useReleaseHold } from './use-checkout.ts'

/** The poll interval for payments and the end of the hold. */
const askAgainMs = 4_000

export function CheckoutPage() {
  useTitle(texts.title)
  return (
    <SignedInOnly title={texts.title}>
      <Checkout />
    </SignedInOnly>
  )
}

function Checkout() {
  const navigate = useNavigate()
  const cartQueryResult = useQuery({
    ...cartQuery,
    refetchInterval: ({ state }) => state.data?.status === 'PendingPayment' && askAgainMs,
  })
  const { data: cart, error, dataUpdatedAt, refetch } = cartQueryResult
  const [heldId, setHeldId] = useState<string>()
  const isHeld = cart?.status === 'PendingPayment'
  useEffect(() => {
    if (!cart) return
    if (cart.status === 'PendingPayment') {
      setHeldId(cart.id)
      heldOrder.keep(cart.id)
    }
    // A new cart replaced the held one, which is an order now.
    else if (heldId && heldId !== cart.id) {
      navigate({ to: '/orders/$id', params: { id: heldId }, replace: true })
    }
  }, [cart, heldId, navigate])
  const onEnd = useCallback(() => void refetch(), [refetch])
  if (!cart) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (!isHeld) return <LapsedHold cart={cart} isLapsed={heldOrder.is(cart.id)} />
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1>{texts.title}</h1>
        {isOnItsWay(cart) ? null : (
          <Countdown
            seconds={cart.seconds_until_expiry ?? 0}
            askedAt={dataUpdatedAt}
            onEnd={onEnd}
          />
        )}
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <Card className="grid gap-5">
            <Goods order={cart} />
            <AppliedCodes order={cart} />
            <Total order={cart} />
            {isOnItsWay(cart) ? null : (
              <CodeField hasCodes={(cart.applied_codes ?? []).length > 0} />
            )}
          </Card>
          {cart.payment_under_way ? null : <ReleaseHold />}
        </div>
        <Payment order={cart} />
      </div>
    </div>
  )
}

function ReleaseHold() {
  const giveUp = useReleaseHold()
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <Button
        look="quiet"
        className="-ml-3"
        isBusy={giveUp.isPending}
        onClick={() => giveUp.mutate()}
      >
        {texts.giveUp}
      </Button>
      <span className="text-sm text-soft">{texts.giveUpHint}</span>
      <ErrorOf thrown={giveUp.error} />
    </div>
  )
}

function LapsedHold({ cart, isLapsed }: { cart: Order; isLapsed: boolean }) {
  const hold = useHold()
  const [title, text] = isLapsed
    ? [texts.lapsedTitle, texts.lapsedText]
    : [texts.notHeldTitle, texts.notHeldText]
  const hasGoods = goodsOf(cart).length > 0
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <div role={isLapsed ? 'alert' : undefined} className="grid gap-3">
        <h1>{title}</h1>
        <p className="text-soft">{hasGoods ? text : sharedTexts.emptyCart}</p>
      </div>
      {hasGoods ? (
        <Card className="grid gap-5">
          <Goods order={cart} />
          <Total order={cart} />
        </Card>
      ) : null}
      <ErrorOf thrown={hold.error} />
      <div className="flex flex-wrap gap-3">
        {hasGoods ? (
          <Button isBusy={hold.isPending} onClick={() => hold.mutate(cart.id)}>
            {texts.again}
          </Button>
        ) : null}
        <Link to="/cart" className={buttonLook('second')}>
          {sharedTexts.toCart}
        </Link>
      </div>
    </div>
  )
}
