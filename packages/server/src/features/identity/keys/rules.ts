import { type proofDomain, pubkeysAtMost } from '@emojid/core'
import { isPubkey } from '../../../platform/crypto/ristretto.ts'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'

/** The purpose of a signature; it is valid for no other purpose. */
export type SigningDomain =
  | typeof proofDomain
  | 'emojid/records/v1'
  | 'emojid/code-activation/v1'
  | 'emojid/code-activation/v2'

type StoredKey = { sealed_private_key: string | null; proven_at: Date | null }

/** A custodial or proven key stays with its owner. */
export const isSettled = ({ sealed_private_key, proven_at }: StoredKey): boolean =>
  sealed_private_key !== null || proven_at !== null

/** For the email to the owner. */
export const addedSentence = (pubkey: string, state: ReturnType<typeof stateOf>): string =>
  ({
    kept_here: `A new key that we keep for you was added to your account: ${pubkey}.`,
    unproven: `The public key ${pubkey} was added to your account. It can own emoji ids once it is proven.`,
    proven: `The public key ${pubkey} was proven by a signature and now belongs to your account.`,
  })[state]

export function stateOf(key: StoredKey): 'kept_here' | 'proven' | 'unproven' {
  const { sealed_private_key, proven_at } = key
  if (sealed_private_key !== null) return 'kept_here'
  return proven_at === null ? 'unproven' : 'proven'
}

/** Returns a public key as it is stored: lower-case hex. */
export function readPubkey(text: string): string {
  const pubkey = text.toLowerCase()
  if (!isPubkey(pubkey)) throw invalidPubkey()
  return pubkey
}

/** Binds the sealed key to its owner and row: it does not unseal in another row. */
export const sealContext = (owner: string, pubkey: string): string =>
  `private key of ${owner} ${pubkey}`

const invalidPubkey = () =>
  refusal('invalid', 'invalid_pubkey', 'This is not a Ristretto255 public key. Send 64 hex digits.')

export const listedKey = () =>
  duplicate(
    'pubkey',
    'Another account lists this key. If it is yours, prove it: POST /pubkeys/{pubkey}/prove.',
  )

/** Ids may be bound to the key, so a second proof does not move it. */
export const provenKey = () =>
  duplicate('pubkey', 'Another account has proven this key. Use another key.')

export const wrongProof = () =>
  refusalIn(
    'signature',
    'refused',
    'wrong_proof',
    'The signature does not match this key and the message for your account.',
    'wrong',
  )

export const tooManyPubkeys = () =>
  refusal(
    'refused',
    'too_many_pubkeys',
    `Your account has ${pubkeysAtMost} public keys, which is the maximum.`,
  )
