import type { OwnedId } from './rules.ts'
import { assertNotSigned } from './signed.ts'

/** What a request calls the id. */
export type IdField = 'eid' | 'emoji_id'

/** Throws if the id has to stay with its owner for now. */
type Cause = (owned: OwnedId, now: Date, field: IdField) => void

const causes: readonly Cause[] = [assertNotSigned]

/** May this id leave its owner now? Asked under its lock, where it is taken away or handed on. */
export const assertCanLeave: Cause = (owned, now, field) => {
  for (const assertNone of causes) assertNone(owned, now, field)
}
