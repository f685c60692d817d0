import { tagsOfTickerOrThrow } from '@emojid/core'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { asProblem } from '../../api/problem.ts'
import { editRecords, type NewRecord } from '../../api/records.ts'
import { Button } from '../../design/button.tsx'
import { spokenNames } from '../../design/emoji-id.tsx'
import { Notice } from '../../design/feedback.tsx'
import { Field, valueIn } from '../../design/field.tsx'
import { fieldLook } from '../../design/labelled.tsx'
import { currencyName } from '../../records/names.ts'
import { texts } from '../../texts/en.ts'

/** The currencies that most people start with. */
const usualTickers = ['BTC', 'ETH', 'SOL', 'LTC', 'XMR', 'DOGE', 'ADA', 'XRP']

const choicesOf = (tickers: readonly string[]) =>
  tickers.flatMap((ticker) =>
    tagsOfTickerOrThrow(ticker)
      .slice(0, 1)
      .map((tag) => ({ tag, ticker, label: currencyName(tag) })),
  )

type Props = { id: string; tickers?: readonly string[] }

/** A first address for a new id. */
export function AddressForm({ id: emoji_id, tickers = usualTickers }: Props) {
  const selectId = useId()
  const choices = choicesOf(tickers)
  const save = useMutation({
    mutationFn: (record: NewRecord) => editRecords(emoji_id, { insert: [record] }),
  })
  const savedIn = choices.find(({ tag }) => tag === save.variables?.tag)?.ticker ?? ''
  return (
    <form
      aria-label={texts.order.addAddressTo(spokenNames(emoji_id))}
      className="grid gap-4 border-t border-hair pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        save.mutate(
          { tag: valueIn(form, 'tag'), data: valueIn(form, 'address') },
          { onSuccess: () => form.reset() },
        )
      }}
    >
      <div>
        <h2>{texts.order.addAddress}</h2>
        <p className="text-soft">{texts.order.addAddressText}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-[12rem_1fr]">
        <div className="grid content-start gap-1.5">
          <label htmlFor={selectId} className="font-semibold">
            {texts.order.currency}
          </label>
          <select id={selectId} name="tag" className={fieldLook}>
            {choices.map(({ tag, label }) => (
              <option key={tag} value={tag}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={texts.order.address}
          name="address"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          problem={save.error ? asProblem(save.error).message : undefined}
        />
      </div>
      {save.isSuccess ? <Notice>{texts.order.saved(savedIn)}</Notice> : null}
      <div>
        <Button type="submit" isBusy={save.isPending}>
          {texts.order.save}
        </Button>
      </div>
    </form>
  )
}
