import {
  type CheckedRecord,
  checkRecord,
  RecordError,
  type Strength,
  storedStrength,
} from '@emojid/core'
import type { NewRecord } from '../api/records.ts'

/** The stored form of a record, or its error. */
export type Verdict = CheckedRecord | Refusal
/** `part` as named in core; undefined means the address. */
export type Refusal = { why: string; code: string; part: string | undefined }

export const isRefused = (verdict: Verdict): verdict is Refusal => 'why' in verdict

/** Checks a record by the rules of the service. */
export function judge(record: NewRecord): Verdict {
  try {
    return checkRecord(record)
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return { why: error.message, code: error.code, part: error.part }
  }
}

/** How well the text that the owner entered is verified. */
export const recordStrength = ({ strength, address }: CheckedRecord): Strength =>
  address ? storedStrength(address) : strength
