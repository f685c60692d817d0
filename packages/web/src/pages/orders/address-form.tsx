import {
  checkRecord,
  networkName,
  spokenNames,
  type Tag,
  tagInfo,
  tagsOfTickerOrThrow,
} from '@emojid/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { asProblem } from '../../api/problem.ts'
import { editRecords, type NewRecord, recordsQuery } from '../../api/records.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { Notice } from '../../design/feedback.tsx'
import { Field, fieldLook, valueIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { partsOf } from '../../records/parts.ts'
import { texts } from './texts.ts'

/** The most common currencies. */
const usualTickers = ['BTC', 'ETH', 'SOL', 'LTC', 'XMR', 'DOGE', 'ADA', 'XRP']

const choicesOf = (tickers: readonly string[]) =>
  tickers.map((ticker) => {
    const [tag, ...others] = tagsOfTickerOrThrow(ticker)
    const name = tag && others.length === 0 ? tagInfo(tag)?.name : networkName(ticker)
    return { ticker, label: `${name ?? ticker} (${ticker})` }
  })

/** The record of an address: picks the tag of the currency that accepts it. */
function recordOf(ticker: string, data: string): { tag: Tag; data: string } {
  const tags = tagsOfTickerOrThrow(ticker)
  const takes = (tag: Tag): boolean => {
    try {
      return Boolean(checkRecord({ tag, data }))
    } catch {
      return false
    }
  }
  return { tag: (tags.find(takes) ?? tags[0]) as Tag, data }
}

type Props = { id: string; tickers?: readonly string[] }

type AddressInput = { ticker: string; address: string }

/** Saves an address if the id has none in that currency; returns the existing one otherwise. */
function useFirstAddress(emoji_id: string) {
  const queries = useQueryClient()
  return useAction({
    mutationFn: async ({ ticker, address }: AddressInput): Promise<NewRecord | undefined> => {
      const tags: readonly string[] = tagsOfTickerOrThrow(ticker)
      const records = await queries.fetchQuery(recordsQuery(emoji_id))
      const existing = records.find(({ tag }) => tags.includes(tag))
      if (!existing) await editRecords(emoji_id, { insert: [recordOf(ticker, address)] })
      return existing
    },
  })
}

/** Adds the first address of a new id. */
export function AddressForm({ id: emoji_id, tickers = usualTickers }: Props) {
  const selectId = useId()
  const save = useFirstAddress(emoji_id)
  const problem = save.error ? asProblem(save.error) : undefined
  return (
    <form
      aria-label={texts.addAddressTo(spokenNames(emoji_id))}
      className="grid gap-4 border-t border-hair pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        save.mutate(
          { ticker: valueIn(form, 'ticker'), address: valueIn(form, 'address') },
          {
            onSuccess: (existing, { address }) => {
              // The next address may have been typed meanwhile.
              if (!existing && valueIn(form, 'address') === address) form.reset()
            },
          },
        )
      }}
    >
      <div>
        <h2>{texts.addAddress}</h2>
        <p className="text-soft">{texts.addAddressText}</p>
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <div className="grid content-start gap-1.5">
          <label htmlFor={selectId} className="font-semibold">
            {texts.currency}
          </label>
          <select id={selectId} name="ticker" className={fieldLook}>
            {choicesOf(tickers).map(({ ticker, label }) => (
              <option key={ticker} value={ticker}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={texts.address}
          name="address"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          problem={problem?.message}
        />
      </div>
      {save.isSuccess ? (
        <SavedAddress id={emoji_id} target={save.variables} existing={save.data} />
      ) : null}
      <div>
        <Button type="submit" isBusy={save.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}

type SavedAddressProps = { id: string; target: AddressInput; existing: NewRecord | undefined }

/** The result. An existing address is changed in the editor, which shows the difference. */
function SavedAddress({ id, target, existing }: SavedAddressProps) {
  if (!existing) return <Notice>{texts.saved(target.ticker)}</Notice>
  const { text } = partsOf(existing)
  if (text === target.address) return <Notice>{texts.alreadySaved}</Notice>
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="font-medium">{texts.hasOther(target.ticker)}</p>
      <p className="font-mono text-sm break-all">{text}</p>
      <p className="text-soft">{texts.hasOtherText}</p>
      <Link to="/account/ids/$id" params={{ id }} className={buttonLook('second')}>
        {texts.toEditor}
      </Link>
    </div>
  )
}
