import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { asProblem, type Problem } from '../../../../api/problem.ts'
import { editRecords, type NewRecord, type StoredRecord } from '../../../../api/records.ts'
import { announce } from '../../../../design/announcements.ts'
import { Badge } from '../../../../design/badge.tsx'
import { Button } from '../../../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { isPayment, titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import { shownOfSeveral } from '../../../../records/shown.ts'
import { DiffRow } from '../diff-rows.tsx'
import { type Draft, type Entry, editOf, isOrderChanged, type Step } from './draft.ts'
import { EditRecord } from './edit-record.tsx'
import { delayLockQuery, saveKey } from './queries.ts'
import { OrderedRecords } from './record-list.tsx'
import { StrengthOf } from './strength.tsx'
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

type ReviewRowProps = {
  entry: Entry
  records: readonly StoredRecord[]
  /** The records after saving. */
  outcome: readonly StoredRecord[]
  /** The API error of this change. */
  problem: string | undefined
  isEditing: boolean
  setEditing: (isEditing: boolean) => void
  onNote: (step: Step) => void
  onTakeBack: () => void
}

/** One pending change, which the owner can edit or undo. */
function ReviewRow(props: ReviewRowProps) {
  const { entry, records, outcome, problem, isEditing, setEditing, onNote, onTakeBack } = props
  const { step, after, before } = entry
  const subject = after ?? before[0]
  const named = <span className="sr-only">: {subject ? titleOf(subject) : ''}</span>
  if (isEditing && 'record' in step) {
    return (
      <EditRecord
        record={step.record}
        strength={step.strength}
        others={[...records, ...outcome].filter(
          ({ hash, data }) => data !== step.record.data && !before.some((one) => one.hash === hash),
        )}
        problem={problem}
        onCancel={() => setEditing(false)}
        onNote={(noted) => {
          setEditing(false)
          onNote({ ...step, ...noted })
        }}
      />
    )
  }
  return (
    <DiffRow pair={entry}>
      {after && isPayment(after) ? <StrengthOf record={after} {...strengthIn(step)} /> : null}
      {subject ? <ShownAddress subject={subject} outcome={outcome} /> : null}
      {problem ? (
        <p role="alert" className="text-sm font-medium text-wrong">
          {problem}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {after ? (
          <Button look="quiet" className="-ml-3" onClick={() => setEditing(true)}>
            {texts.edit}
            {named}
          </Button>
        ) : null}
        <Button look="quiet" className={after ? '' : '-ml-3'} onClick={onTakeBack}>
          {texts.takeBack}
          {named}
        </Button>
      </div>
    </DiffRow>
  )
}

const strengthIn = (step: Step) =>
  'strength' in step && step.strength ? { strength: step.strength } : {}

type ShownAddressProps = { subject: NewRecord; outcome: readonly StoredRecord[] }

/** Names the address that payers will see if several remain. */
function ShownAddress({ subject, outcome }: ShownAddressProps) {
  const outcomeText = shownOfSeveral(subject, outcome)
  if (!outcomeText) return null
  if (outcomeText.data === subject.data) {
    return (
      <p>
        <Badge tone="good">{texts.willShow}</Badge>
      </p>
    )
  }
  return (
    <p className="text-sm font-medium wrap-anywhere">
      {texts.willShowOther(partsOf(outcomeText).text)}
    </p>
  )
}

type OrderRowProps = { records: readonly StoredRecord[]; onTakeBack: () => void }

/** The pending new order, which the owner can undo. */
const OrderRow = ({ records, onTakeBack }: OrderRowProps) => (
  <div className="grid gap-2">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-semibold">{texts.order}</span>
      <Badge tone="main">{texts.orderChanged}</Badge>
    </div>
    <OrderedRecords records={records} />
    <div>
      <Button look="quiet" className="-ml-3" onClick={onTakeBack}>
        {texts.takeBack}
        <span className="sr-only">: {texts.order}</span>
      </Button>
    </div>
  </div>
)
