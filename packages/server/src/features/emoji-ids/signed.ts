import { inField, ServiceError } from '../../platform/errors.ts'
import type { IdField } from './leaving.ts'
import type { OwnedId } from './rules.ts'

/** Somebody may be about to mint it: until the signature ends, it stays where it is. */
export function assertNotSigned({ signed_until }: OwnedId, now: Date, field: IdField): void {
  if (signed_until && signed_until > now) throw new SignedError(signed_until, field)
}

class SignedError extends ServiceError {
  override readonly name = 'EmojiIds.SignedError'
  constructor(until: Date, field: IdField) {
    const message = `A signature to mint this id is good until ${until.toISOString()}. Until then it stays where it is.`
    super('refused', 'signature_live', message, inField(field, 'signature_live', message))
  }
}
