import type { ReactNode } from 'react'
import type { NewRecord } from '../../../api/records.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import type { Pair } from '../../../records/diff.ts'
import { titleOf } from '../../../records/names.ts'
import { formOf, partsOf } from '../../../records/parts.ts'
import { texts as pageTexts, texts } from './texts.ts'

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

/** The value of a record as plain text, never as markup. */
export function RecordText({ record }: { record: NewRecord }) {
  const { text, label, isDefault } = partsOf(record)
  const isPlain = formOf(record.tag) === 'plain'
  return (
    <>
      <span dir="auto" className={isPlain ? 'wrap-anywhere' : 'font-mono text-sm break-all'}>
        {text}
      </span>
      {label ? (
        <span className="block text-sm wrap-anywhere">
          {pageTexts.label}: <bdi>{label}</bdi>
        </span>
      ) : null}
      {isDefault ? <span className="block text-sm">{pageTexts.default}</span> : null}
    </>
  )
}
