import { parseTonedEmojiId, spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { accountQuery } from '../../api/account.ts'
import { wantedIds } from '../../api/browser-notes.ts'
import { ensureInCart } from '../../api/cart-items.ts'
import { throughVisit } from '../../api/partner-visit.ts'
import { asProblem } from '../../api/problem.ts'
import { cacheCart, cartQuery, goodsOf, type Item, type Order } from '../../api/shop.ts'
import { mailSignInLink } from '../../api/sign-in.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { DemoMailbox } from '../../design/demo-mailbox.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { useAction } from '../../design/use-action.ts'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { useHold, useReleaseHold, useRemove } from '../checkout/use-checkout.ts'
import { texts as sharedTexts } from '../texts.ts'
import { readCart } from './address.ts'
import { Goods, Total } from './goods.tsx'
import { texts } from './texts.ts'

export function CartPage() {
  useTitle(texts.title)
  return (
    <SignedInOnly title={texts.title}>
      <Cart />
    </SignedInOnly>
  )
}

function Cart() {
  const adding = useAddWanted()
  const { data: cart, error } = useQuery(cartQuery)
  const title = useRef<HTMLHeadingElement>(null)
  const isEmpty = cart && goodsOf(cart).length === 0
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <h1 ref={title} tabIndex={-1} className="outline-none">
        {texts.title}
      </h1>
      <ErrorOf thrown={adding.error ?? error} />
      {adding.asked ? (
        <Card className="flex flex-wrap items-center justify-between gap-4">
          <EmojiId id={adding.asked} />
          <Button
            isBusy={adding.isPending}
            onClick={() => adding.asked && adding.mutate(adding.asked)}
          >
            {texts.putIn}
          </Button>
        </Card>
      ) : null}
      {adding.isPending || (!cart && !error) ? <Waiting /> : null}
      {isEmpty && !adding.isPending ? <EmptyCart /> : null}
      {cart && !isEmpty && cart.status === 'Draft' ? (
        <DraftCart cart={cart} onAct={adding.reset} onRemoved={() => title.current?.focus()} />
      ) : null}
      {cart && !isEmpty && cart.status === 'PendingPayment' ? <HeldCart cart={cart} /> : null}
    </div>
  )
}

const EmptyCart = () => (
  <Card className="grid justify-items-start gap-4">
    <p className="text-soft">{sharedTexts.emptyCart}</p>
    <Link to="/" className={buttonLook()}>
      {texts.find}
    </Link>
  </Card>
)

const nameOf = ({ emoji_id }: Item): string => (emoji_id ? spokenNames(emoji_id) : sharedTexts.box)

type DraftCartProps = {
  cart: Order
  /** Clears the previous error. */
  onAct: () => void
  onRemoved: () => void
}

function DraftCart({ cart, onAct, onRemoved }: DraftCartProps) {
  const { data: account, refetch } = useQuery(accountQuery)
  const hold = useHold()
  const remove = useRemove(onRemoved)
  const user = account?.user
  const isRefused = Boolean(hold.error && asProblem(hold.error).code === 'unconfirmed_email')
  const isUnconfirmed = isRefused || (user?.email && !user.email_verified_at)
  const checkOut = () => {
    onAct()
    // The buyer may have confirmed the address in another window.
    if (isUnconfirmed) void refetch()
    hold.mutate(cart.id)
  }
  return (
    <>
      <Card className="grid gap-5">
        <Goods
          order={cart}
          action={(item) => (
            <Button
              look="quiet"
              aria-label={texts.removeNamed(nameOf(item))}
              isBusy={remove.isPending && remove.variables === item.id}
              onClick={() => {
                onAct()
                remove.mutate(item.id)
              }}
            >
              {texts.remove}
            </Button>
          )}
        />
        <Total order={cart} />
        <ErrorOf thrown={remove.error} />
      </Card>
      {isUnconfirmed && user?.email ? (
        <ConfirmAddress email={user.email} refusal={isRefused ? hold.error : undefined} />
      ) : null}
      <ErrorOf thrown={isRefused ? undefined : hold.error} />
      <div className="grid gap-2 sm:justify-items-end">
        <Button isBusy={hold.isPending} onClick={checkOut} className="sm:min-w-52">
          {texts.checkOut}
        </Button>
        <p className="text-sm text-soft">{texts.holdHint}</p>
        <p className="text-sm text-soft">{texts.codeHint}</p>
      </div>
    </>
  )
}

function HeldCart({ cart }: { cart: Order }) {
  const giveUp = useReleaseHold()
  return (
    <>
      <Card className="grid gap-5">
        <p className="font-medium">{texts.held}</p>
        <Goods order={cart} />
        <Total order={cart} />
      </Card>
      <ErrorOf thrown={giveUp.error} />
      <div className="flex flex-wrap gap-3">
        <Link to="/checkout" className={buttonLook()}>
          {texts.goOn}
        </Link>
        <Button look="second" isBusy={giveUp.isPending} onClick={() => giveUp.mutate()}>
          {texts.change}
        </Button>
      </div>
      <p className="text-sm text-soft">{texts.changeHint}</p>
    </>
  )
}

type Props = {
  email: string
  /** The error of a checkout with an unconfirmed address. */
  refusal: unknown
}

/** Asks the buyer to confirm the email address. */
function ConfirmAddress({ email, refusal }: Props) {
  const box = useRef<HTMLElement>(null)
  const resend = useAction({
    mutationFn: () => {
      const redirect = throughVisit('/cart') ?? '/cart'
      return mailSignInLink({ email, redirect })
    },
  })
  useEffect(() => {
    if (refusal) box.current?.focus()
  }, [refusal])
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby="confirm-address"
      className="grid gap-3 rounded-field bg-tint p-4 outline-none focus:ring-2 focus:ring-main"
    >
      <h2 id="confirm-address" className="text-lg">
        {texts.confirmTitle}
      </h2>
      {refusal ? <Alert>{texts.unconfirmed}</Alert> : null}
      <p className="wrap-anywhere">{texts.confirmText(email)}</p>
      <DemoMailbox />
      <div>
        <Button look="second" isBusy={resend.isPending} onClick={() => resend.mutate()}>
          {texts.resend}
        </Button>
      </div>
      {resend.isSuccess ? <Notice>{texts.resent}</Notice> : null}
      <ErrorOf thrown={resend.error} />
    </section>
  )
}

/**
 * Adds the id in the URL to the cart once, and removes it from the URL. Anyone can send such a link,
 * so the page asks first unless the visitor chose the id in this browser.
 */
function useAddWanted() {
  const { add } = readCart(useSearch({ from: '/cart' }))
  const navigate = useNavigate()
  const isQuestion = add !== undefined && isId(add) && !wantedIds.has(add)
  const startedId = useRef<string>(undefined)
  const addMutation = useAction({
    mutationFn: (emoji_id: string) => ensureInCart({ emoji_id }),
    onSuccess: cacheCart,
    onSettled(_cart, error) {
      // Keep the id in the URL after a network error, so that a reload tries again.
      if (error && [0, 503].includes(asProblem(error).status)) return
      return navigate({ to: '/cart', search: {}, replace: true })
    },
  })
  useEffect(() => {
    if (!add || startedId.current === add || isQuestion) return
    startedId.current = add
    addMutation.mutate(add)
  }, [add, isQuestion, addMutation.mutate])
  return { ...addMutation, asked: isQuestion ? add : undefined }
}

/** The API reports the error of an invalid id. */
function isId(text: string): boolean {
  try {
    return Boolean(parseTonedEmojiId(text))
  } catch {
    return false
  }
}
