import { useState } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { Button } from '../../../design/button.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { ReasonField, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import type { Draft } from './draft.ts'
import {
  CodeAudience,
  CodeDates,
  CodeDiscount,
  CodeIds,
  CodeKind,
  CodeUses,
  type FormPart,
} from './form-groups.tsx'
import { formTexts as texts } from './texts.ts'

type Props<Saved> = {
  start: Draft
  isNew: boolean
  action: string
  save: (draft: Draft, reason: string) => Promise<Saved>
  onSaved: (saved: Saved) => void
  onCancel: () => void
}

/** The form for all terms of a code. */
export function CodeForm<Saved>({ start, isNew, action, save, onSaved, onCancel }: Props<Saved>) {
  const [draft, setDraft] = useState(start)
  const saving = useAction({
    mutationFn: (reason: string) => save(draft, reason),
    onSuccess: onSaved,
  })
  const part: FormPart = {
    draft,
    start,
    isNew,
    set: (change) => setDraft({ ...draft, ...change }),
    problem: saving.error ? asProblem(saving.error) : undefined,
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) saving.mutate(valueIn(event.currentTarget, 'reason'))
      }}
    >
      <CodeKind {...part} />
      <CodeDiscount {...part} />
      <CodeUses {...part} />
      <CodeDates {...part} />
      <CodeIds {...part} />
      <CodeAudience {...part} />
      <Card>
        <ReasonField />
      </Card>
      <ErrorOf thrown={saving.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={saving.isPending}>
          {action}
        </Button>
        <Button look="second" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
