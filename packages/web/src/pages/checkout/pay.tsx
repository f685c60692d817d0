import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { freeCeiling } from '../../api/addresses.ts'
import { cardsQuery, isExpired, type SavedCard } from '../../api/payment-methods.ts'
import { pubkeysQuery } from '../../api/pubkeys.ts'
import { queries } from '../../api/query-client.ts'
import { discountOf, feesOf, goodsOf, type Order, receivedOf } from '../../api/shop.ts'
import { siteLinks } from '../../api/site-links.ts'
import { announce } from '../../design/announcements.ts'
import { Button } from '../../design/button.tsx'
import { cardName } from '../../design/card-name.ts'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { Select } from '../../design/field.tsx'
import { Money } from '../../design/money.tsx'
import { useSessionDraft } from '../../design/use-session-draft.ts'
import { Waiting } from '../../design/waiting.tsx'
import { ProvePubkey } from '../account/keys/pubkey-dialogs.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { CryptoPayment } from './crypto-payment.tsx'
import { ownerKeyDraft } from './queries.ts'
import { texts } from './texts.ts'
import { useFree, usePayByCard, usePayByCrypto, usePayBySavedCard } from './use-checkout.ts'

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

const conditionsTexts = texts.conditions
const { terms, privacy } = siteLinks

/** The operator's terms and privacy page, as far as they are configured. */
function Conditions() {
  if (terms === '' && privacy === '') return null
  return (
    <p className="text-sm text-soft">
      {terms === '' ? null : (
        <>
          {conditionsTexts.accept} <NewTab to={terms}>{conditionsTexts.terms}</NewTab>.{' '}
        </>
      )}
      {privacy === '' ? null : (
        <>
          {conditionsTexts.readPrivacy} <NewTab to={privacy}>{conditionsTexts.privacy}</NewTab>.
        </>
      )}
    </p>
  )
}

/** A new tab, so that the held order stays open. */
const NewTab = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer" className="text-main underline underline-offset-4">
    {children}
    <span className="sr-only"> {conditionsTexts.newTab}</span>
  </a>
)

/** The key that will own the ids, if the account has several. An unproven one is proven here. */
function OwnerKey() {
  const { data: keys = [] } = useQuery(pubkeysQuery)
  const [chosen, setChosen] = useSessionDraft(ownerKeyDraft, '')
  const [isProving, setProving] = useState(false)
  const key = keys.find(({ pubkey }) => pubkey === chosen) ?? keys[0]
  if (!key || keys.length < 2) return null
  return (
    <div className="grid gap-3 border-b border-hair pb-4">
      <Select
        label={texts.ownerKey}
        hint={texts.ownerKeyHint}
        value={key.pubkey}
        options={keys.map(({ pubkey, state }) => ({
          value: pubkey,
          text: `${pubkey.slice(0, 8)}…${pubkey.slice(-8)} (${texts.keyStates[state]})`,
        }))}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {key.state === 'unproven' ? (
        <>
          <Alert>{texts.unprovenKey}</Alert>
          <Button look="second" onClick={() => setProving(true)}>
            {texts.proveKey}
          </Button>
        </>
      ) : null}
      {isProving ? (
        <ProvePubkey
          pubkey={key.pubkey}
          onProven={() => {
            announce(texts.keyProven)
            void queries.invalidateQueries({ queryKey: pubkeysQuery.queryKey })
          }}
          onClose={() => setProving(false)}
        />
      ) : null}
    </div>
  )
}

/** Saved cards that have not expired. */
function useSavedCards(): SavedCard[] {
  const { data: cards = [] } = useQuery(cardsQuery)
  return cards.filter((card) => !isExpired(card))
}

/** Pays with a saved card, the default preselected; empty without saved cards. */
function SavedCards({ order }: { order: Order }) {
  const usable = useSavedCards()
  const [chosenId, setChosenId] = useState<string>()
  const pay = usePayBySavedCard()
  const chosenCard =
    usable.find(({ id }) => id === chosenId) ??
    usable.find(({ is_default }) => is_default) ??
    usable[0]
  if (!chosenCard) return null
  return (
    <div className="grid gap-3 border-b border-hair pb-4">
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">{texts.savedCards}</legend>
        {usable.map((card) => (
          <label key={card.id} className="flex min-h-9 items-center gap-3">
            <input
              type="radio"
              name="saved_card"
              className="size-5 accent-main"
              checked={card.id === chosenCard.id}
              onChange={() => setChosenId(card.id)}
            />
            <CardLabel card={card} />
          </label>
        ))}
      </fieldset>
      <Button
        isBusy={pay.isPending}
        onClick={() => pay.mutate({ order_id: order.id, payment_method_id: chosenCard.id })}
      >
        {texts.paySaved(cardName(chosenCard))}
      </Button>
      <p className="text-sm text-soft">{texts.paySavedHint}</p>
      <ErrorOf thrown={pay.error} />
    </div>
  )
}

const CardLabel = ({ card }: { card: SavedCard }) => (
  <span>
    {cardName(card)}
    {card.is_default ? <span className="text-soft"> {texts.defaultCard}</span> : null}
  </span>
)
