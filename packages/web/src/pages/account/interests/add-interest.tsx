import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { addInterest, searchOf } from '../../../api/search.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { announce } from '../../../design/status.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Echo } from '../../search/echo.tsx'
import { Field } from '../../search/field.tsx'
import { texts } from './texts.ts'
import { useTypedId } from './use-typed-id.ts'

/** Looks up a typed id and adds it to the watchlist if it is taken. */
export function AddInterest({ onAdded }: { onAdded: () => void }) {
  const chosen = useTypedId()
  const [draft, setDraft] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const answer = useQuery(searchOf(chosen.id))
  const result = chosen.id && !answer.isPlaceholderData ? answer.data : undefined
  const adding = useAction({
    mutationFn: addInterest,
    onSuccess: () => {
      announce(texts.added)
      chosen.clear()
      field.current?.focus()
      onAdded()
    },
  })
  return (
    <Part title={texts.add}>
      <Field
        chosen={chosen}
        draft={draft}
        setDraft={setDraft}
        fieldRef={field}
        hint={texts.fieldHint}
      />
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-4">
        <Echo
          chosen={chosen}
          draft={draft}
          answer={result}
          isFailed={answer.isError}
          taken={texts.taken}
        />
        {result?.result.availability === 'Available' ? (
          <Link to="/" search={{ q: chosen.text }} className={buttonLook()}>
            {texts.get}
          </Link>
        ) : result ? (
          <Button isBusy={adding.isPending} onClick={() => adding.mutate(result.result.emoji_id)}>
            {texts.watch}
          </Button>
        ) : null}
      </div>
      {result && adding.variables === result.result.emoji_id ? (
        <ErrorOf thrown={adding.error} />
      ) : null}
      {chosen.id ? <ErrorOf thrown={answer.error} /> : null}
    </Part>
  )
}
