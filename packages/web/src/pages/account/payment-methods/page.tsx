import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cardsQuery, isExpired, type SavedCard } from '../../../api/payment-methods.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { cardName } from '../../../design/card-name.ts'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { texts as accountTexts } from '../texts.ts'
import { removeCard, setDefaultCard } from './queries.ts'
import { texts } from './texts.ts'

export function PaymentMethodsPage() {
  const queries = useQueryClient()
  const { data: cards, error } = useQuery(cardsQuery)
  const [leavingCard, setLeavingCard] = useState<SavedCard>()
  const choose = useAction({
    mutationFn: (card: SavedCard) => setDefaultCard(card.id),
    onSuccess: async (_answer, card) => {
      announce(texts.madeDefault(cardName(card)))
      await queries.invalidateQueries(cardsQuery)
      // The pressed button is unmounted.
      focusContent()
    },
  })
  return (
    <Section title={accountTexts.sections.paymentMethods} text={texts.text}>
      <DataTable
        caption={texts.caption}
        columns={columnsWith(setLeavingCard, choose.mutate)}
        rows={cards}
        keyOf={({ id }) => id}
        error={error}
        empty={
          <div className="grid justify-items-start gap-3">
            <p className="text-soft">{texts.none}</p>
            <Link to="/cart" className={buttonLook('second')}>
              {texts.toCart}
            </Link>
          </div>
        }
      />
      <ErrorOf thrown={choose.error} />
      {leavingCard ? (
        <ConfirmDialog
          title={texts.removeTitle(cardName(leavingCard))}
          text={texts.removeText}
          action={texts.remove}
          isDangerous
          run={() => removeCard(leavingCard.id)}
          onDone={async () => {
            announce(texts.removed(cardName(leavingCard)))
            await queries.invalidateQueries(cardsQuery)
            // The pressed button is unmounted with its row.
            focusContent()
          }}
          onClose={() => setLeavingCard(undefined)}
        />
      ) : null}
    </Section>
  )
}

const columnsWith = (
  remove: (card: SavedCard) => void,
  choose: (card: SavedCard) => void,
): Column<SavedCard>[] => [
  {
    title: texts.columns.card,
    show: (card) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-semibold">
        {cardName(card)}
        {card.is_default ? <Badge tone="good">{texts.isDefault}</Badge> : null}
      </span>
    ),
  },
  { title: texts.columns.expires, show: (card) => <Expiry {...card} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (card) => (
      <span className="flex flex-wrap justify-end gap-2">
        {card.is_default || isExpired(card) ? null : (
          <Button look="second" onClick={() => choose(card)}>
            {texts.makeDefault}
            <span className="sr-only">: {cardName(card)}</span>
          </Button>
        )}
        <Button look="second" onClick={() => remove(card)}>
          {texts.remove}
          <span className="sr-only">: {cardName(card)}</span>
        </Button>
      </span>
    ),
  },
]

function Expiry(card: SavedCard) {
  const { exp_month, exp_year } = card
  if (!exp_month || !exp_year) return '–'
  return (
    <span className="inline-flex flex-wrap items-center gap-2 tabular-nums">
      {String(exp_month).padStart(2, '0')}/{exp_year}
      {isExpired(card) ? <Badge tone="wrong">{texts.expired}</Badge> : null}
    </span>
  )
}
