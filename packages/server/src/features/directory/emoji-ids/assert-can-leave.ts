import { refusalIn } from '../../../platform/errors.ts'
import { assertNotFrozen, type IdField, type OwnedId } from './rules.ts'

/** Throws if the id must stay with its owner for now. */
type Cause = (ownedId: OwnedId, now: Date, field: IdField) => void

/** A live mint signature blocks the id until it expires. */
const assertNotSigned: Cause = ({ signed_until }, now, field) => {
  if (signed_until && signed_until > now) throw signatureError(signed_until, field)
}

const causes: readonly Cause[] = [
  assertNotSigned,
  (ownedId, _now, field) => assertNotFrozen(ownedId, field),
]

/** Called under the lock of the id, before every release or transfer. */
export const assertCanLeave: Cause = (ownedId, now, field) => {
  for (const assertNone of causes) assertNone(ownedId, now, field)
}

const signatureError = (until: Date, field: IdField) =>
  refusalIn(
    field,
    'refused',
    'signature_live',
    `A signature to mint this id is valid until ${until.toISOString()}. The id can’t leave its owner before that.`,
  )
