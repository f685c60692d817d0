import { isPubkey } from '../../../platform/crypto/ristretto.ts'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'

/** What a signature is for; one made for one thing is good for no other. */
export type SigningDomain =
  | 'emojid/pubkey-proof/v1'
  | 'emojid/records/v1'
  | 'emojid/code-activation/v1'

export const proofDomain: SigningDomain = 'emojid/pubkey-proof/v1'

/** What somebody signs to show that a key is theirs. */
export const proofMessage = (pubkey: string, user_id: string): string =>
  `The key ${pubkey} belongs to the account ${user_id}.`

type Listed = { sealed_private_key: string | null; proven_at: Date | null }

/** Kept here or proven: it stays with whoever has it. */
export const isSettled = ({ sealed_private_key, proven_at }: Listed): boolean =>
  sealed_private_key !== null || proven_at !== null

/** What the owner of the account reads. */
export const addedSentence = (pubkey: string, state: ReturnType<typeof stateOf>): string =>
  ({
    kept_here: `Another key that is kept here was made for your account: ${pubkey}.`,
    unproven: `The public key ${pubkey} is listed in your account now. It owns nothing before it is proven.`,
    proven: `The public key ${pubkey} was proven by a signature, and belongs to your account now.`,
  })[state]

/** What somebody can do with a key of theirs. */
export function stateOf(key: Listed): 'kept_here' | 'proven' | 'unproven' {
  const { sealed_private_key, proven_at } = key
  if (sealed_private_key !== null) return 'kept_here'
  return proven_at === null ? 'unproven' : 'proven'
}

/** A public key as it is kept: lower-case hex. */
export function readPubkey(text: string): string {
  const pubkey = text.toLowerCase()
  if (!isPubkey(pubkey)) throw notAKey()
  return pubkey
}

/** Sealed for this owner and this key: moved to another row, it does not open. */
export const placeOf = (owner: string, pubkey: string): string =>
  `private key of ${owner} ${pubkey}`

const notAKey = () =>
  refusal('invalid', 'invalid_pubkey', 'This is not a Ristretto255 public key of 64 hex digits.')

export const keyTaken = () =>
  duplicate(
    'pubkey',
    'Somebody has listed this key. If it is yours, prove it: POST /pubkeys/{pubkey}/prove.',
  )

/** Ids may be bound to it: not even a second proof moves it. */
export const keyProven = () =>
  duplicate('pubkey', 'This key belongs to another account, which has shown that. Use another key.')

export const wrongProof = () =>
  refusalIn(
    'signature',
    'refused',
    'wrong_proof',
    'The signature is not one by this key over the message for your account.',
    'wrong',
  )

export const tooManyKeys = () =>
  refusal('refused', 'too_many_pubkeys', 'An account has at most 100 keys.')
