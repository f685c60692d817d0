import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Card, cardsQuery, forgetCard } from '../../../api/payment-methods.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { Section } from '../../../design/section.tsx'
import { say } from '../../../design/status.tsx'
import { accountTexts } from '../../../texts/en-account.ts'

const texts = accountTexts.paymentMethods

export function PaymentMethodsPage() {
  const queries = useQueryClient()
  const { data: cards, error } = useQuery(cardsQuery)
  const [leaving, setLeaving] = useState<Card>()
  return (
    <Section title={accountTexts.frame.sections.paymentMethods} text={texts.text}>
      <DataTable
        caption={texts.caption}
        columns={columnsWith(setLeaving)}
        rows={cards}
        keyOf={({ id }) => id}
        error={error}
        empty={<p className="text-soft">{texts.none}</p>}
      />
      {leaving ? (
        <ConfirmDialog
          title={texts.removeTitle(nameOf(leaving))}
          text={texts.removeText}
          action={texts.remove}
          isDangerous
          run={() => forgetCard(leaving.id)}
          onDone={async () => {
            say(texts.removed(nameOf(leaving)))
            await queries.invalidateQueries(cardsQuery)
            // The button that was pressed went with its row.
            focusContent()
          }}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </Section>
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const nameOf = ({ brand, last4 }: Card): string =>
  texts.card(brand ? capital(brand) : texts.unknownBrand, last4 ?? '····')

const columnsWith = (remove: (card: Card) => void): Column<Card>[] => [
  {
    title: texts.columns.card,
    show: (card) => <span className="font-semibold">{nameOf(card)}</span>,
  },
  { title: texts.columns.expires, show: (card) => <Expiry {...card} /> },
  {
    ...{ title: texts.columns.actions, isAtEnd: true, isAction: true },
    show: (card) => (
      <Button look="second" onClick={() => remove(card)}>
        {texts.remove}
        <span className="sr-only">: {nameOf(card)}</span>
      </Button>
    ),
  },
]

function Expiry({ exp_month, exp_year }: Card) {
  if (!exp_month || !exp_year) return '–'
  // It is good until the end of the month.
  const isOver = new Date(exp_year, exp_month) <= new Date()
  return (
    <span className="inline-flex flex-wrap items-center gap-2 tabular-nums">
      {String(exp_month).padStart(2, '0')}/{exp_year}
      {isOver ? <Badge tone="wrong">{texts.expired}</Badge> : null}
    </span>
  )
}
