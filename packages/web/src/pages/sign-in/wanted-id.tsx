import { type EmojiId as Id, parseTonedEmojiId } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { searchOf } from '../../api/search.ts'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Money } from '../../design/money.tsx'
import { useFees } from '../../design/use-fees.ts'
import { texts } from './texts.ts'

/** The id that the visitor is about to get, as the next page names it. */
function readWanted(next: string | undefined): { text: string; id: Id } | undefined {
  if (!next?.startsWith('/cart?')) return undefined
  const text = new URLSearchParams(next.slice('/cart?'.length)).get('add') ?? ''
  try {
    return { text, id: parseTonedEmojiId(text).id }
  } catch {
    return undefined
  }
}

/** Shows the chosen id and its current price until the visitor has an account. */
export function WantedId({ next }: { next: string | undefined }) {
  const offer = readWanted(next)
  const { data } = useQuery(searchOf(offer?.id))
  const { feesOn } = useFees()
  if (!offer) return null
  const price = data?.result.availability === 'Available' ? data.result.price : null
  return (
    <section
      aria-label={texts.wanted.label}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl bg-tint px-4 py-3"
    >
      <EmojiId id={offer.text} />
      {price === null ? null : (
        <strong className="text-xl">
          <Money cents={price + feesOn(price)} />
        </strong>
      )}
      <p className="w-full text-sm text-soft">{texts.wanted.text}</p>
    </section>
  )
}
