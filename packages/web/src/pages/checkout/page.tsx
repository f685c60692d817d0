import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { cartQuery, goodsOf, type Order } from '../../api/shop.ts'
import { announce } from '../../design/announcements.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { clearSent, Field, valueIn } from '../../design/field.tsx'
import { focusContent } from '../../design/focus-content.ts'
import { Money } from '../../design/money.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { Goods, Total } from '../cart/goods.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { isOnItsWay, Payment } from './pay.tsx'
import { texts } from './texts.ts'
import { heldOrder, useCode, useHold, useReleaseHold, useRemoveCode } from './use-checkout.ts'

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

/** The codes of the order with their discounts. */
function AppliedCodes({ order }: { order: Order }) {
  const remove = useRemoveCode()
  const codes = order.applied_codes ?? []
  return (
    <>
      {codes.length > 0 ? (
        <ul aria-label={texts.codes} className="grid gap-1">
          {codes.map(({ code_id, name, discount_in_cents }) => (
            <li key={code_id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-semibold wrap-anywhere">{name}</span>
              <span className="-mr-3 ml-auto flex items-center gap-2 text-good">
                <Money cents={-discount_in_cents} />
                {order.payment_under_way ? null : (
                  <Button
                    look="quiet"
                    isBusy={remove.isPending && remove.variables === code_id}
                    onClick={() =>
                      remove.mutate(code_id, {
                        onSuccess: () => {
                          announce(texts.codeRemoved(name))
                          // The pressed button is unmounted.
                          focusContent()
                        },
                      })
                    }
                  >
                    {texts.removeCode}
                    <span className="sr-only"> {name}</span>
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <ErrorOf thrown={remove.error} />
    </>
  )
}

function CodeField({ hasCodes }: { hasCodes: boolean }) {
  const code = useCode()
  return (
    <form
      className="grid gap-3 border-t border-hair pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const sent = new FormData(form)
        code.mutate(valueIn(form, 'promo_code'), { onSuccess: () => clearSent(form, sent) })
      }}
    >
      <div className="flex flex-wrap items-start gap-3">
        <Field
          className="min-w-32 flex-1"
          label={texts.codeLabel}
          name="promo_code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          problem={code.error ? asProblem(code.error).message : undefined}
        />
        <Button look="second" type="submit" isBusy={code.isPending} className="mt-7.5">
          {texts.codeUse}
        </Button>
      </div>
      {code.isSuccess && hasCodes ? <Notice>{texts.codeUsed}</Notice> : null}
    </form>
  )
}

type Props = {
  /** The time left at the last response. */
  seconds: number
  askedAt: number
  onEnd: () => void
}

const secondsLeft = ({ seconds, askedAt }: Omit<Props, 'onEnd'>): number =>
  Math.max(0, Math.ceil(seconds - (Date.now() - askedAt) / 1_000))

/** Counts elapsed time instead of reading the clock of the device, which may be wrong. */
function Countdown({ seconds, askedAt, onEnd }: Props) {
  const [remainingSeconds, setRemainingSeconds] = useState(() => secondsLeft({ seconds, askedAt }))
  useEffect(() => {
    const tick = () => setRemainingSeconds(secondsLeft({ seconds, askedAt }))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [seconds, askedAt])
  const isOver = remainingSeconds === 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  const look =
    remainingSeconds <= 60 ? 'bg-wrong-ground text-wrong' : 'border border-hair bg-card text-ink'
  return (
    <div>
      <p
        className={`inline-flex items-baseline gap-2 rounded-full px-4 py-1.5 font-medium ${look}`}
      >
        {texts.heldFor}
        <span role="timer" className="text-lg font-bold tabular-nums">
          {shownTime(remainingSeconds)}
        </span>
      </p>
      <p role="status" className="sr-only">
        {spokenTime(remainingSeconds)}
      </p>
    </div>
  )
}

/** The seconds at which screen readers announce the time left. */
const moments = [10, 30, 60, 120, 300]

const inWords = (seconds: number): string =>
  seconds % 60 === 0 ? texts.minutes(seconds / 60) : texts.seconds(seconds)

/** The announced sentence; changes only at these moments. */
function spokenTime(remainingSeconds: number): string {
  const moment = moments.find((seconds) => remainingSeconds <= seconds)
  return moment === undefined
    ? texts.heldMore(inWords(Math.ceil(remainingSeconds / 300) * 300))
    : texts.heldEnds(inWords(moment))
}

function shownTime(remainingSeconds: number): string {
  const [hours, minutes] = [
    Math.floor(remainingSeconds / 3_600),
    Math.floor(remainingSeconds / 60) % 60,
  ]
  const seconds = String(remainingSeconds % 60).padStart(2, '0')
  return hours === 0
    ? `${minutes}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}
