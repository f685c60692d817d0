import { isPubkey } from '../../../platform/crypto/ristretto.ts'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'

/** The purpose of a signature; it is valid for no other purpose. */
export type SigningDomain =
  | 'emojid/pubkey-proof/v1'
  | 'emojid/records/v1'
  | 'emojid/code-activation/v1'

export const proofDomain: SigningDomain = 'emojid/pubkey-proof/v1'

/** The text whose signature proves a key. */
export const proofMessage = (pubkey: string, user_id: string): string =>
  `The key ${pubkey} belongs to the account ${user_id}.`

type Listed = { sealed_private_key: string | null; proven_at: Date | null }

/** A custodial or proven key stays with its owner. */
export const isSettled = ({ sealed_private_key, proven_at }: Listed): boolean =>
  sealed_private_key !== null || proven_at !== null

/** For the mail to the owner. */
export const addedSentence = (pubkey: string, state: ReturnType<typeof stateOf>): string =>
  ({
    kept_here: `Another key that is kept here was made for your account: ${pubkey}.`,
    unproven: `The public key ${pubkey} is listed in your account now. It owns nothing before it is proven.`,
    proven: `The public key ${pubkey} was proven by a signature, and belongs to your account now.`,
  })[state]

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

/** Bound to this owner and key, so that the sealed text does not open in another row. */
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
