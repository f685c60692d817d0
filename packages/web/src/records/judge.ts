import { type CheckedRecord, checkRecord, RecordError, type Strength } from '@emojid/core'
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

/**
 * How well the text that the owner entered is verified. The service adds the checksum to addresses
 * of the Ethereum kind itself, so the checksum of a stored one proves nothing.
 */
export const storedStrength = ({ strength, address }: CheckedRecord): Strength =>
  strength === 'checksum' && address?.kind === 'evm' ? 'format' : strength
