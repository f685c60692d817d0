import { addressInUri, type Strength } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { isRefused, judge, type Refusal } from '../../../../records/judge.ts'
import {
  barIn,
  formOf,
  type Parts,
  recordOf,
  type TypedPart,
  typedPart,
} from '../../../../records/parts.ts'
import { texts } from './texts.ts'

export const trimParts = (parts: Parts): Parts => ({
  ...parts,
  text: parts.text.trim(),
  label: parts.label.trim(),
  ticker: parts.ticker.trim(),
  longName: parts.longName.trim(),
  network: parts.network.trim(),
})

/** An error and its field. */
export type InputFault = { why: string; part: TypedPart }

export function wrongIn({ why, code, part }: Refusal): InputFault {
  const field = typedPart(part)
  const isLong = field === 'label' && code === 'too_long_data'
  return { why: isLong ? texts.longLabel : why, part: field }
}

/** A record as stored, and how well its entered text is verified. */
export type WantedRecord = { record: NewRecord; strength: Strength }

/** The record of the form, or its error. */
export function readWanted(
  tag: string,
  input: Parts,
  others: readonly StoredRecord[],
): WantedRecord | InputFault {
  const writtenParts = trimParts(input)
  const isAddress = formOf(tag) !== 'plain'
  const parts = isAddress
    ? { ...writtenParts, text: addressInUri(writtenParts.text) }
    : writtenParts
  const record = recordOf(tag, parts)
  const bar = record.data === parts.text ? undefined : barIn(parts)
  if (bar) return { why: texts.bar, part: bar }
  const verdict = judge(record)
  if (isRefused(verdict)) return wrongIn(verdict)
  const { data, strength } = verdict
  const isThere = others.some((other) => other.tag === tag && other.data === data)
  return isThere ? { why: texts.same, part: 'text' } : { record: { tag, data }, strength }
}
