import type { Strength } from '@emojid/core'
import { useState } from 'react'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { Button } from '../../../../design/button.tsx'
import { isRefused, judge, recordStrength } from '../../../../records/judge.ts'
import { titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import {
  type InputFault,
  KeepBoth,
  RecordFields,
  readWanted,
  type WantedRecord,
} from './record-fields.tsx'
import { texts } from './texts.ts'

type Props = {
  record: NewRecord
  /** How well its address is verified, if the owner entered it here. */
  strength?: Strength | undefined
  /** The other records, saved or drafted. */
  others: readonly StoredRecord[]
  /** Drafted records that would replace it. */
  rivals?: readonly NewRecord[]
  /** The API error of this record. */
  problem?: string | undefined
  onNote: (noted: WantedRecord, isBeside: boolean) => void
  onCancel: () => void
}

function readStoredStrength(record: NewRecord): Strength {
  const verdict = judge(record)
  return isRefused(verdict) ? 'none' : recordStrength(verdict)
}

/** Edits the value of a record; its type is fixed. */
export function EditRecord(props: Props) {
  const { record, strength, others, rivals = [], problem: serverProblem, onNote, onCancel } = props
  const [parts, setParts] = useState(() => partsOf(record))
  const [problem, setProblem] = useState<InputFault | undefined>(
    serverProblem ? { why: serverProblem, part: 'text' } : undefined,
  )
  const [isBeside, setBeside] = useState(false)
  return (
    <form
      aria-label={`${texts.change}: ${titleOf(record)}`}
      noValidate
      className="grid gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        const reading = readWanted(record.tag, parts, others)
        if ('why' in reading) setProblem(reading)
        else if (parts.text === partsOf(record).text)
          onNote({ ...reading, strength: strength ?? readStoredStrength(record) }, isBeside)
        else onNote(reading, isBeside)
      }}
    >
      <h3 className="font-semibold">{titleOf(record)}</h3>
      <RecordFields
        tag={record.tag}
        parts={parts}
        problem={problem}
        isFirst
        onChange={(next) => {
          // A signature covers one address only.
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
