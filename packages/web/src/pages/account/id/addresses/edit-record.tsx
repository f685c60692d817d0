import { useState } from 'react'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { Button } from '../../../../design/button.tsx'
import { titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import { KeepBoth } from './keep-both.tsx'
import { readWanted, type Wrong } from './read-wanted.ts'
import { RecordFields } from './record-fields.tsx'
import { texts } from './texts.ts'

type Props = {
  record: NewRecord
  /** What else is there, saved or noted. */
  others: readonly StoredRecord[]
  /** What is noted to come instead of it. */
  rivals?: readonly NewRecord[]
  /** What the service said of it. */
  problem?: string | undefined
  onNote: (record: NewRecord, isBeside: boolean) => void
  onCancel: () => void
}

/** Changes what one record says; what kind it is stays. */
export function EditRecord(props: Props) {
  const { record, others, rivals = [], problem: told, onNote, onCancel } = props
  const [parts, setParts] = useState(() => partsOf(record))
  const [problem, setProblem] = useState<Wrong | undefined>(
    told ? { why: told, part: 'text' } : undefined,
  )
  const [isBeside, setBeside] = useState(false)
  return (
    <form
      aria-label={`${texts.change}: ${titleOf(record)}`}
      noValidate
      className="grid gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = readWanted(record.tag, parts, others)
        if ('why' in wanted) setProblem(wanted)
        else onNote(wanted, isBeside)
      }}
    >
      <h3 className="font-semibold">{titleOf(record)}</h3>
      <RecordFields
        tag={record.tag}
        parts={parts}
        problem={problem}
        isFirst
        onChange={(next) => {
          // A signature is of one address.
          setParts(next.text === parts.text ? next : { ...next, signature: '' })
          setProblem(undefined)
        }}
      />
      <KeepBoth rivals={rivals} isBeside={isBeside} setBeside={setBeside} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">{texts.noteChange}</Button>
        <Button look="second" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
