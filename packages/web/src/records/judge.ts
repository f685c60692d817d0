import { type CheckedRecord, checkRecord, RecordError } from '@emojid/core'
import type { NewRecord } from '../api/records.ts'

/** As it would be stored, or what is wrong with it. */
export type Verdict = CheckedRecord | Refusal
/** `part` as the core calls it; without one, it is the address. */
export type Refusal = { why: string; code: string; part: string | undefined }

export const isRefused = (verdict: Verdict): verdict is Refusal => 'why' in verdict

/** Says of a record what the service would say. */
export function judge(record: NewRecord): Verdict {
  try {
    return checkRecord(record)
  } catch (thrown) {
    if (!(thrown instanceof RecordError)) throw thrown
    return { why: thrown.message, code: thrown.code, part: thrown.part }
  }
}
