import { withoutRecency } from '@emojid/core'
import { useIsMutating } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { StoredRecord } from '../../../../api/records.ts'
import { sessionDraft } from '../../../../api/session-draft.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { Card } from '../../../../design/feedback.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { isPayment } from '../../../../records/names.ts'
import { AddAddress, AddOther } from './add-address.tsx'
import { AddEvm } from './add-evm.tsx'
import {
  inWantedOrder,
  isOrderChanged,
  outcomeOf,
  planOf,
  type Step,
  swapStep,
  withNoted,
  withStep,
} from './draft.ts'
import { useDraft } from './drafts.ts'
import { saveKey } from './queries.ts'
import { RecordList } from './record-list.tsx'
import { Review } from './review.tsx'
import { texts } from './texts.ts'

type AdditionKind = 'address' | 'evm' | 'other'

/** Collects changes, shows them for review and saves them together. */
export function Editor({ id, records }: { id: string; records: readonly StoredRecord[] }) {
  const { draft, change, dropSaved } = useDraft(id)
  const [adding, setAdding] = useSessionDraft<AdditionKind | ''>(`addition ${id}`, '')
  const [editing, setEditing] = useState<string>()
  const review = useRef<HTMLHeadingElement>(null)
  const top = useRef<HTMLHeadingElement>(null)
  // A step about a record that the save replaces or moves would mean another one afterwards.
  const isSaving = useIsMutating({ mutationKey: saveKey(id) }) > 0
  const entries = planOf(records, draft)
  const orderedRecords = inWantedOrder(records, draft)
  const planned = outcomeOf(orderedRecords, entries)
  // In an order that the owner names, the places alone count.
  const outcome = isOrderChanged(records, draft) ? planned.map(withoutRecency) : planned

  // A draft from another page, such as the history, opens the review.
  useEffect(() => {
    const timer = setTimeout(() => review.current?.focus())
    return () => clearTimeout(timer)
  }, [])
  const goTo = (place: typeof top) => setTimeout(() => place.current?.focus())
  const additionKey = `addition ${adding} ${id}`
  const endAdding = () => {
    sessionDraft.write(additionKey, undefined)
    setAdding('')
  }
  const note = (step: Step) => noteAll([step])
  const noteAll = (steps: readonly Step[]) => {
    change(steps.reduce((changedDraft, step) => withNoted(changedDraft, entries, step), draft))
    endAdding()
    setEditing(undefined)
    announce(texts.noted)
    goTo(review)
  }
  const swap = (one: StoredRecord, other: StoredRecord) => {
    const next = withStep(draft, swapStep(orderedRecords, one, other))
    // A record that is back at its place leaves nothing to review.
    change(isOrderChanged(records, next) ? next : next.filter(({ kind }) => kind !== 'order'))
  }
  const cancelAdding = (addition: AdditionKind) => {
    endAdding()
    setTimeout(() => document.getElementById(`add-${addition}`)?.focus())
  }
  const opener = (addition: AdditionKind, text: string) => (
    <Button look="second" id={`add-${addition}`} onClick={() => setAdding(addition)}>
      {text}
    </Button>
  )
  const sharedProps = { records, outcome }
  const addition = { ...sharedProps, draftKey: additionKey }
  const list = {
    ...sharedProps,
    ordered: orderedRecords,
    entries,
    editing,
    setEditing,
    note,
    swap,
    isSaving,
  }
  return (
    <div className="grid gap-5">
      <Card className="grid gap-5">
        <div>
          <h2 ref={top} tabIndex={-1} className="outline-none">
            {texts.payments}
          </h2>
          <p className="text-soft">{texts.paymentsText}</p>
        </div>
        <RecordList {...list} isIn={isPayment} empty={texts.noPayments} />
        {adding === 'address' ? (
          <AddAddress {...addition} onNote={note} onCancel={() => cancelAdding('address')} />
        ) : null}
        {adding === 'evm' ? (
          <AddEvm draftKey={additionKey} onNote={noteAll} onCancel={() => cancelAdding('evm')} />
        ) : null}
        {adding === 'address' || adding === 'evm' ? null : (
          <div className="flex flex-wrap gap-3">
            {opener('address', texts.addAddress)}
            {opener('evm', texts.evm.add)}
          </div>
        )}
      </Card>
      <Card className="grid gap-5">
        <div>
          <h2>{texts.others}</h2>
          <p className="text-soft">{texts.othersText}</p>
        </div>
        <RecordList {...list} isIn={(record) => !isPayment(record)} empty={texts.noOthers} />
        {adding === 'other' ? (
          <AddOther {...addition} onNote={note} onCancel={() => cancelAdding('other')} />
        ) : (
          <div>{opener('other', texts.addOther)}</div>
        )}
      </Card>
      {draft.length > 0 ? (
        <Review
          id={id}
          records={records}
          outcome={outcome}
          draft={draft}
          entries={entries}
          isListEditing={records.some(({ hash }) => hash === editing)}
          change={change}
          dropSaved={dropSaved}
          heading={review}
          onNote={note}
          onDone={() => goTo(top)}
        />
      ) : null}
    </div>
  )
}
