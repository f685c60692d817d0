import { type Signature, verify, verifyBare } from '../../../platform/crypto/ristretto.ts'
import type * as rules from './rules.ts'

export const isSignedBy = (
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
  given: Signature,
) => verify(pubkey, domain, message, given)

/** Whether the weak form holds that shipped clients use; anybody can make it. */
export const isBarelySignedBy = (pubkey: string, message: string, given: Signature) =>
  verifyBare(pubkey, message, given)
