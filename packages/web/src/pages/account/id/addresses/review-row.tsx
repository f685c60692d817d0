import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { Badge } from '../../../../design/badge.tsx'
import { Button } from '../../../../design/button.tsx'
import { isPayment, titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import { shownOfSeveral } from '../../../../records/shown.ts'
import { DiffRow } from '../diff-rows.tsx'
import type { Entry, Step } from './draft.ts'
import { EditRecord } from './edit-record.tsx'
import { StrengthOf } from './strength.tsx'
import { texts } from './texts.ts'

type Props = {
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
export function ReviewRow(props: Props) {
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
