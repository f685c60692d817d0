import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { addInterest, searchOf } from '../../../api/search.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { Echo } from '../../search/echo.tsx'
import { Field } from '../../search/field.tsx'
import { texts } from './texts.ts'
import { useTypedId } from './use-typed-id.ts'

/** Looks up a typed id and adds it to the watchlist if it is taken. */
export function AddInterest({ onAdded }: { onAdded: () => void }) {
  const idField = useTypedId()
  const [draft, setDraft] = useSessionDraft('watched name', '')
  const field = useRef<HTMLInputElement>(null)
  const answer = useQuery(searchOf(idField.id))
  const result = idField.id && !answer.isPlaceholderData ? answer.data : undefined
  const addMutation = useAction({
    mutationFn: addInterest,
    onSuccess: (_, added) => {
      announce(texts.added)
      // The next id may have been typed meanwhile.
      if (idField.id === added) {
        idField.clear()
        field.current?.focus()
      }
      onAdded()
    },
  })
  return (
    <Part title={texts.add}>
      <Field
        chosen={idField}
        draft={draft}
        setDraft={setDraft}
        fieldRef={field}
        hint={texts.fieldHint}
      />
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-4">
        <Echo
          chosen={idField}
          draft={draft}
          answer={result}
          isFailed={answer.isError}
          taken={texts.taken}
        />
        {result?.result.availability === 'Available' ? (
          <Link to="/" search={{ q: idField.text }} className={buttonLook()}>
            {texts.get}
          </Link>
        ) : result ? (
          <Button
            isBusy={addMutation.isPending}
            onClick={() => addMutation.mutate(result.result.emoji_id)}
          >
            {texts.watch}
          </Button>
        ) : null}
      </div>
      {result && addMutation.variables === result.result.emoji_id ? (
        <ErrorOf thrown={addMutation.error} />
      ) : null}
      {idField.id ? <ErrorOf thrown={answer.error} /> : null}
    </Part>
  )
}
