import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { asProblem, type Problem } from '../../../../api/problem.ts'
import { editRecords, type StoredRecord } from '../../../../api/records.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { type Draft, type Entry, editOf, isOrderChanged, type Step } from './draft.ts'
import { OrderRow } from './order-row.tsx'
import { delayLockQuery, saveKey } from './queries.ts'
import { ReviewRow } from './review-row.tsx'
import { delayLockTexts, texts } from './texts.ts'

type Props = {
  id: string
  records: readonly StoredRecord[]
  outcome: readonly StoredRecord[]
  draft: Draft
  entries: readonly Entry[]
  /** The owner edits a saved record. */
  isListEditing: boolean
  change: (draft: Draft) => void
  dropSaved: (saved: Draft) => Draft
  heading: RefObject<HTMLHeadingElement | null>
  onNote: (step: Step) => void
  onDone: () => void
}

/** The steps of one save, their effects, and how many changes they are. */
type Saved = { draft: Draft; entries: readonly Entry[]; many: number }

/** API errors after a concurrent change of the records. */
const isConflict = ({ code }: Problem): boolean =>
  ['wrong_merkle_root', 'wrong_order', 'unknown_record', 'uniqueness'].includes(code)

/** All pending changes before they are saved. */
export function Review(props: Props) {
  const {
    id,
    records,
    outcome,
    draft,
    entries,
    isListEditing,
    change,
    dropSaved,
    heading,
    onNote,
    onDone,
  } = props
  const queries = useQueryClient()
  const [isChanged, setChanged] = useState(false)
  const [editingKey, setEditingKey] = useState<string>()
  // A save would drop what the open form has.
  const isEditing = isListEditing || entries.some(({ step }) => step.key === editingKey)
  const hasOrder = isOrderChanged(records, draft)
  const many = entries.length + (hasOrder ? 1 : 0)
  const readAgain = () => queries.invalidateQueries({ queryKey: ['records', id] })
  const save = useAction({
    mutationKey: saveKey(id),
    mutationFn: ({ draft, entries }: Saved) => editRecords(id, editOf(records, entries, draft)),
    async onSuccess(_, saved) {
      await readAgain()
      const rest = dropSaved(saved.draft)
      const lock = queries.getQueryData(delayLockQuery(id).queryKey)
      announce(lock?.waiting ? delayLockTexts.savedWaiting : texts.saved(saved.many))
      if (rest.length === 0) onDone()
    },
    async onError(error) {
      if (!isConflict(asProblem(error))) return
      await readAgain()
      setChanged(true)
      heading.current?.focus()
    },
  })
  const problem = save.error ? asProblem(save.error) : undefined
  // The errors name the places of the sent records, whose rows may have moved or gone meanwhile.
  const insertedKeys = (save.variables?.entries ?? []).flatMap(({ after, step }) =>
    after ? step.key : [],
  )
  const problemOf = ({ step }: Entry) => problem?.in(`insert.${insertedKeys.indexOf(step.key)}`)
  const isTold = entries.some(problemOf) || (problem !== undefined && isConflict(problem))
  const isDone = many === 0 && !save.isPending
  const drop = (steps: Draft, message: string) => {
    change(steps)
    save.reset()
    announce(message)
    if (steps.length > 0) heading.current?.focus()
    else onDone()
  }
  return (
    <Card className="grid gap-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="outline-none">
          {texts.review}
        </h2>
        <p className="text-soft">{texts.reviewText}</p>
      </div>
      {isChanged ? <Alert>{isDone ? texts.conflictDone : texts.conflict}</Alert> : null}
      <fieldset role="presentation" disabled={save.isPending} className="min-w-0">
        <ul className="grid gap-5">
          {entries.map((entry) => (
            <li key={entry.step.key}>
              <ReviewRow
                entry={entry}
                records={records}
                outcome={outcome}
                onNote={onNote}
                problem={problemOf(entry)}
                isEditing={editingKey === entry.step.key}
                setEditing={(isEditing) => setEditingKey(isEditing ? entry.step.key : undefined)}
                onTakeBack={() =>
                  drop(
                    draft.filter((step) => step !== entry.step),
                    texts.undone,
                  )
                }
              />
            </li>
          ))}
          {hasOrder ? (
            <li>
              <OrderRow
                records={outcome}
                onTakeBack={() =>
                  drop(
                    draft.filter(({ kind }) => kind !== 'order'),
                    texts.undone,
                  )
                }
              />
            </li>
          ) : null}
        </ul>
      </fieldset>
      {isTold ? null : <ErrorOf thrown={save.error} />}
      <div className="grid gap-3">
        <div className="flex flex-wrap gap-3">
          {isDone ? null : (
            <Button
              disabled={isEditing}
              isBusy={save.isPending}
              onClick={() => save.mutate({ draft, entries, many })}
            >
              {texts.save(many)}
            </Button>
          )}
          <Button look="second" disabled={save.isPending} onClick={() => drop([], texts.discarded)}>
            {texts.discard}
          </Button>
        </div>
        {isEditing ? <p role="status">{texts.finishEdit}</p> : null}
        <p className="text-sm text-soft">{texts.mailed}</p>
      </div>
    </Card>
  )
}
