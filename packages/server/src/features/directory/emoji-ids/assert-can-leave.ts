import { refusalIn } from '../../../platform/errors.ts'
import { assertNotFrozen, type IdField, mayBecomeMinted, type OwnedId, reportMs } from './rules.ts'

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

/**
 * For ids that leave without a recipient who could confirm that a token exists: a mint of the last
 * moment must have been reported.
 */
export const assertCanEnd: Cause = (ownedId, now, field) => {
  assertCanLeave(ownedId, now, field)
  const { signed_until } = ownedId
  if (signed_until && mayBecomeMinted(ownedId, now))
    throw signatureError(new Date(signed_until.getTime() + reportMs), field)
}

const signatureError = (until: Date, field: IdField) =>
  refusalIn(
    field,
    'refused',
    'signature_live',
    `A signature to mint this id blocks it until ${until.toISOString()}. The id can’t leave its owner before that.`,
  )
