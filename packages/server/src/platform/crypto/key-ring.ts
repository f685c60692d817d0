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

/** What a token is for; one kind is never accepted in place of another. */
type TokenType = 'at+jwt' | 'code+jwt'

/** What a token says that we signed. */
export type ReadClaims = JWTPayload
type Claims = JWTPayload & { iss: string; aud: string; exp: number }
type Expected = { typ: TokenType; issuer: string; audience: string; now: Date }

export type KeyRing = {
  sign(typ: TokenType, claims: Claims): Promise<string>
  /** The claims of a token that one of our keys signed and that is still good, else nothing. */
  verify(token: string, expected: Expected): Promise<JWTPayload | undefined>
  /** The public halves, for everybody. */
  jwks: { keys: JWK[] }
}

/** The first key signs; the others are still believed, until they are taken off the ring. */
export async function createKeyRing(seeds: readonly Buffer[]): Promise<KeyRing> {
  const keys = await Promise.all(seeds.map(readKey))
  const [current] = keys
  if (!current) throw new Error('A key ring needs a key')
  const jwks = { keys: keys.map(({ jwk }) => jwk) }
  const known = createLocalJWKSet(jwks)
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
        const { payload } = await jwtVerify(token, known, {
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

/** Three parts, each spelled in the one way that its bytes have. */
function isExact(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => part && Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/** A private Ed25519 key as PKCS #8 has it, but for the 32 bytes that make it. */
const frame = Buffer.from('302e020100300506032b657004220420', 'hex')

async function readKey(seed: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([frame, seed]), format: 'der', type: 'pkcs8' })
  const open = await exportJWK(createPublicKey(key))
  const kid = await calculateJwkThumbprint(open)
  return { key, kid, jwk: { ...open, kid, alg: algorithm, use: 'sig' } }
}
