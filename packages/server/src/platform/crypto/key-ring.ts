import { createPrivateKey, createPublicKey } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'

const algorithm = 'EdDSA'
const clockToleranceSeconds = 5

/** The purpose of a token; one type is never accepted in place of another. */
type TokenType = 'at+jwt' | 'code+jwt'

/** The claims of a verified token. */
export type ReadClaims = JWTPayload
type Claims = JWTPayload & { iss: string; aud: string; exp: number }
type TokenExpectation = { typ: TokenType; issuer: string; audience: string; now: Date }

export type KeyRing = {
  sign(typ: TokenType, claims: Claims): Promise<string>
  /**
   * The claims of a token with a valid signature of ours and the expected type; undefined if
   * invalid or expired.
   */
  verify(token: string, expected: TokenExpectation): Promise<JWTPayload | undefined>
  /** The public keys. */
  jwks: { keys: JWK[] }
}

/** The first key signs; all keys verify until they are removed from the ring. */
export async function createKeyRing(seeds: readonly Buffer[]): Promise<KeyRing> {
  const keys = await Promise.all(seeds.map(readKey))
  const [current] = keys
  if (!current) throw new Error('A key ring needs a key')
  const jwks = { keys: keys.map(({ jwk }) => jwk) }
  const keySet = createLocalJWKSet(jwks)
  const longestToken = 4_096

  return {
    jwks,
    sign: (typ, claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ, kid: current.kid })
        .sign(current.key),
    async verify(token, { typ, issuer, audience, now }) {
      if (token.length > longestToken || !isExact(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, keySet, {
          algorithms: [algorithm],
          typ,
          issuer,
          audience,
          currentDate: now,
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['exp', 'sub', 'jti'],
        })
        return payload
      } catch {
        return undefined
      }
    },
  }
}

/** Requires the canonical base64url of each part, so that a token has one spelling. */
function isExact(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => part && Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/** The PKCS #8 prefix of an Ed25519 private key. */
const frame = Buffer.from('302e020100300506032b657004220420', 'hex')

async function readKey(seed: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([frame, seed]), format: 'der', type: 'pkcs8' })
  const open = await exportJWK(createPublicKey(key))
  const kid = await calculateJwkThumbprint(open)
  return { key, kid, jwk: { ...open, kid, alg: algorithm, use: 'sig' } }
}
