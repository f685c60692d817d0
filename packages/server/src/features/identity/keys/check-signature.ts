import { type Signature, verify, verifyBare } from '../../../platform/crypto/ristretto.ts'
import type * as rules from './rules.ts'

export const isSignedBy = (
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
  signature: Signature,
) => verify(pubkey, domain, message, signature)

/** The weak scheme of shipped clients. Anyone can forge it, so it proves nothing. */
export const isWeaklySignedBy = (pubkey: string, message: string, signature: Signature) =>
  verifyBare(pubkey, message, signature)
