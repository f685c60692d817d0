import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal } from '../../../platform/errors.ts'
import { mailboxOf } from '../../../platform/mail/address.ts'
import type { User } from '../accounts/index.ts'

/** The hash of a verified mailbox; undefined without one. */
export const mailboxHash = ({ email, email_verified_at }: User): Buffer | undefined =>
  email && email_verified_at ? sha256(mailboxOf(email)) : undefined

export const removedBuyer = () =>
  refusal(
    'refused',
    'removed_buyer',
    'This account can’t get emoji ids, because our support closed another account of the same person. Write to our support if you disagree.',
  )
