import { addressInUri } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { isRefused, judge } from '../../../../records/judge.ts'
import { formOf, hasBar, type Parts, recordOf } from '../../../../records/parts.ts'
import { accountTexts } from '../../../../texts/en-account.ts'

const t = accountTexts.records

export const trimmed = (parts: Parts): Parts => ({
  ...parts,
  ...{ text: parts.text.trim(), label: parts.label.trim(), ticker: parts.ticker.trim() },
  ...{ longName: parts.longName.trim(), network: parts.network.trim() },
})

/** The record that was filled in, as it is stored; or what is wrong with it. */
export function readWanted(
  tag: string,
  given: Parts,
  others: readonly StoredRecord[],
): NewRecord | { why: string } {
  const written = trimmed(given)
  const isAddress = formOf(tag) !== 'plain'
  const parts = isAddress ? { ...written, text: addressInUri(written.text) } : written
  const record = recordOf(tag, parts)
  if (record.data !== parts.text && hasBar(parts)) return { why: t.bar }
  const verdict = judge(record)
  if (isRefused(verdict)) return { why: verdict.why }
  const { data } = verdict
  if (others.some((other) => other.tag === tag && other.data === data)) return { why: t.same }
  return { tag, data }
}
