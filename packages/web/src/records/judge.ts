import { type CheckedRecord, checkRecord, RecordError } from '@emojid/core'
import type { NewRecord } from '../api/records.ts'

/** As it would be stored, or what is wrong with it. */
export type Verdict = CheckedRecord | { why: string; code: string }

export const isRefused = (verdict: Verdict): verdict is { why: string; code: string } =>
  'why' in verdict

/** Says of a record what the service would say. */
export function judge(record: NewRecord): Verdict {
  try {
    return checkRecord(record)
  } catch (thrown) {
    if (!(thrown instanceof RecordError)) throw thrown
    return { why: thrown.message, code: thrown.code }
  }
}
