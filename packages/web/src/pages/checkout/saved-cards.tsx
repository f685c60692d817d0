import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Card, cardsQuery, isExpired } from '../../api/payment-methods.ts'
import type { Order } from '../../api/shop.ts'
import { Button } from '../../design/button.tsx'
import { cardName } from '../../design/card-name.ts'
import { ErrorOf } from '../../design/feedback.tsx'
import { texts } from './texts.ts'
import { usePayBySavedCard } from './use-checkout.ts'

/** Saved cards that have not expired. */
export function useSavedCards(): Card[] {
  const { data: cards = [] } = useQuery(cardsQuery)
  return cards.filter((card) => !isExpired(card))
}

/** Pays with a saved card, the default preselected; empty without saved cards. */
export function SavedCards({ order }: { order: Order }) {
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

const CardLabel = ({ card }: { card: Card }) => (
  <span>
    {cardName(card)}
    {card.is_default ? <span className="text-soft"> {texts.defaultCard}</span> : null}
  </span>
)
