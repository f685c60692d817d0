import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { TestPage } from './browser.ts'

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** The CBOR of a map or text, as far as an authenticator needs it. */
const cborBytes = (bytes: Uint8Array) =>
  Buffer.concat([
    bytes.length < 24 ? Buffer.from([0x40 + bytes.length]) : Buffer.from([0x58, bytes.length]),
    bytes,
  ])
const cborText = (text: string) =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

type ChallengeInput = {
  challenge: string
  origin: string
  rpId?: string
  counter?: number
  flags?: number
}
export type Authenticator = ReturnType<typeof newAuthenticator>

/** An authenticator in software, which can also misbehave. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = b64(sha256(String(Math.random()) + Date.now()))
  let uses = 0
  const clientData = (type: string, { challenge, origin }: ChallengeInput) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const counterBytes = (counter: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(counter)
    return bytes
  }
  return {
    id,
    register(options: ChallengeInput) {
      const client = clientData('webauthn.create', options)
      const credential = Buffer.from(id, 'base64url')
      const authData = Buffer.concat([
        sha256(options.rpId ?? 'localhost'),
        Buffer.from([options.flags ?? 0x45]),
        counterBytes(options.counter ?? 0),
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        coseOf(publicKey),
      ])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: b64(client), attestationObject: b64(attestation) },
      }
    },
    sign(options: ChallengeInput) {
      const client = clientData('webauthn.get', options)
      const authData = Buffer.concat([
        sha256(options.rpId ?? 'localhost'),
        Buffer.from([options.flags ?? 0x05]),
        counterBytes(options.counter ?? ++uses),
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(client),
          authenticatorData: b64(authData),
          signature: b64(signWith(privateKey, Buffer.concat([authData, sha256(client)]))),
        },
      }
    },
  }
}

const signWith = (key: KeyObject, bytes: Uint8Array) => createSign('sha256').update(bytes).sign(key)

/** An ES256 key in COSE. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}

/** Gives the browser of a page an authenticator that verifies its user at once. */
export async function addVirtualAuthenticator(page: TestPage) {
  const devtools = await page.context().newCDPSession(page)
  // Another test may use the page.
  onTestFinished(() => devtools.detach())
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** A person who closes the dialog, or fails to prove who they are. */
    refuse: (isRefusing: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefusing }),
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
