import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { buttonLook } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { SearchField } from '../../../design/filters.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.form

/** Received ids cannot be sent for some days. */
export const isResting = ({ blocked_until }: { blocked_until: string | null }): boolean =>
  blocked_until !== null && new Date(blocked_until) > new Date()

type Props = { chosenId: string | undefined; onChoose: (id: string) => void; first?: string }

/** Chooses one own id: the first page of them, and a search for others. */
export function ChooseOwnId({ chosenId, onChoose, first = '' }: Props) {
  const [q, setQ] = useState(first)
  const { data, error } = useQuery(ownIdPageQuery({ page: 0, q: q || undefined }))
  if (!data) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { total } = data.paging
  const isSearched = total > data.data.length || q !== ''
  if (total === 0 && q === '') {
    return (
      <div className="grid justify-items-start gap-3">
        <p>{texts.none}</p>
        <Link to="/" className={buttonLook('second')}>
          {texts.get}
        </Link>
      </div>
    )
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{texts.which}</legend>
      {isSearched ? (
        <SearchField label={texts.find} hint={texts.findHint} value={q} onChange={setQ} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {data.data.map((one) => {
          const { emoji_id, blocked_until, minted } = one
          const rests = isResting(one)
          return (
            <label
              key={emoji_id}
              className="flex min-h-14 items-center gap-3 rounded-field border border-line bg-card px-4 py-2 has-checked:border-main has-checked:bg-tint"
            >
              <input
                type="radio"
                name="eid"
                value={emoji_id}
                checked={chosenId === emoji_id}
                disabled={rests}
                onChange={() => onChoose(emoji_id)}
                className="size-5 accent-main"
              />
              <span className={rests ? 'opacity-60' : ''}>
                <EmojiId id={emoji_id} size="small" />
              </span>
              {minted ? <span className="text-sm text-soft">{texts.minted}</span> : null}
              {rests && blocked_until ? (
                <span className="text-sm text-soft">
                  {texts.resting} <When at={blocked_until} isExact />
                </span>
              ) : null}
            </label>
          )
        })}
      </div>
      <p role="status" className="text-sm text-soft">
        {total === 0 ? texts.notFound : ''}
        {total > data.data.length ? texts.more(data.data.length, total) : ''}
      </p>
    </fieldset>
  )
}
