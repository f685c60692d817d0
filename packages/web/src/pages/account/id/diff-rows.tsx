import type { ReactNode } from 'react'
import type { NewRecord } from '../../../api/records.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import type { Pair } from '../../../records/diff.ts'
import { titleOf } from '../../../records/names.ts'
import { RecordText } from './record-text.tsx'
import { texts } from './texts.ts'

const { diff: t } = texts

type State = 'added' | 'changed' | 'removed'
const tones: Record<State, Tone> = { added: 'good', changed: 'main', removed: 'wrong' }

export const stateOf = ({ before, after }: Pair): State =>
  !after ? 'removed' : before.length > 0 ? 'changed' : 'added'

/** Strikes the removed record and marks the new one; both also in words. */
export function DiffRow({ pair, children }: { pair: Pair; children?: ReactNode }) {
  const { before, after } = pair
  const subject = (after ?? before[0]) as NewRecord
  const state = stateOf(pair)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold wrap-anywhere">{titleOf(subject)}</span>
        <Badge tone={tones[state]}>{t[state]}</Badge>
      </div>
      {before.map((record) => (
        <del
          key={record.hash}
          className="block rounded-field bg-wrong-ground px-3 py-2 text-wrong decoration-1"
        >
          <span className="sr-only">{t.before}: </span>
          <RecordText record={record} />
        </del>
      ))}
      {after ? (
        <ins className="block rounded-field bg-good-ground px-3 py-2 text-good no-underline">
          <span className="sr-only">{t.after}: </span>
          <RecordText record={after} />
        </ins>
      ) : null}
      {children}
    </div>
  )
}
