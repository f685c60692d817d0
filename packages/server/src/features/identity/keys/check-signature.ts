import { type Signature, verify, verifyBare } from '../../../platform/crypto/ristretto.ts'
import type * as rules from './rules.ts'

export const isSignedBy = (
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
  given: Signature,
) => verify(pubkey, domain, message, given)

/** The weak form that shipped clients use. Anybody can make it, so it proves nothing. */
export const isBarelySignedBy = (pubkey: string, message: string, given: Signature) =>
  verifyBare(pubkey, message, given)
