import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type KeyObject, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, claimsOf, newcomer } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import { type TestService, testService } from '../support/service.ts'

const seed = randomBytes(32)
const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
const ours = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })

let service: TestService
beforeAll(async () => {
  service = await testService({ env: { SIGNING_KEYS: seed.toString('base64') } })
})
afterAll(() => service.close())

const account = (token: string) => service.get('/api/account', bearer(token))
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

/** The same bytes, with the unused bits of the last character set. */
function respelled(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = letters.indexOf(token.at(-1) ?? '')
  return `${token.slice(0, -1)}${letters[last + 1]}`
}

describe('a forged access token (T36)', () => {
  type Made = { header: object; claims: Record<string, unknown>; good: string }
  type Key = CryptoKey | KeyObject | Uint8Array
  let fetched = 0
  const evil = createServer((_request, response) => {
    fetched++
    response.end('{"keys":[]}')
  })
  let foreign: { privateKey: CryptoKey; publicKey: CryptoKey }
  beforeAll(async () => {
    foreign = await generateKeyPair('EdDSA', { extractable: true })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void evil.close())
  const evilUrl = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/jwks`

  const make = async (): Promise<Made> => {
    const good = (await newcomer(service)).tokens.access_token
    return { good, header: headerOf(good), claims: claimsOf(good) }
  }
  const sign = ({ header, claims }: Made, changes: object, head: object = {}, key: Key = ours) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ ...header, ...head } as { alg: string })
      .sign(key)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = (alg: string, keep: 'nothing' | 'signature') => (made: Made) => {
    const [, , signature = ''] = made.good.split('.')
    const end = keep === 'signature' ? signature : ''
    return `${part({ ...made.header, alg })}.${part(made.claims)}.${end}`
  }
  const byForeign = (head: () => object | Promise<object>) => async (made: Made) =>
    sign(made, {}, await head(), foreign.privateKey)
  const withHmac = (secret: () => Uint8Array | string) => (made: Made) =>
    sign(made, {}, { alg: 'HS256' }, Buffer.from(secret()))
  const open = createPublicKey(ours)
  const raw = () => Buffer.from(open.export({ format: 'jwk' }).x ?? '', 'base64url')
  const now = () => Math.floor(service.clock.now().getTime() / 1_000)
  const withPart = (index: number, change: (part: string) => string) => (made: Made) =>
    made.good
      .split('.')
      .map((one, at) => (at === index ? change(one) : one))
      .join('.')
  const flip = (text: string) => {
    const bytes = Buffer.from(text, 'base64url')
    bytes[7] = (bytes[7] ?? 0) ^ 1
    return bytes.toString('base64url')
  }

  const forgeries: Record<string, (made: Made) => string | Promise<string>> = {
    'alg none': unsigned('none', 'nothing'),
    'alg None': unsigned('None', 'nothing'),
    'alg NONE': unsigned('NONE', 'nothing'),
    'alg none, with a signature': unsigned('none', 'signature'),
    'HS256 with the bytes of our public key': withHmac(raw),
    'HS256 with our public key as PEM': withHmac(
      () => open.export({ format: 'pem', type: 'spki' }) as string,
    ),
    'HS256 with our public key as JWK': withHmac(() =>
      JSON.stringify(open.export({ format: 'jwk' })),
    ),
    'a foreign key under our kid': byForeign(() => ({})),
    'a foreign key in jwk': byForeign(async () => ({ jwk: await exportJWK(foreign.publicKey) })),
    'a foreign key in jwk, without kid': byForeign(async () => ({
      kid: undefined,
      jwk: await exportJWK(foreign.publicKey),
    })),
    'a foreign key at jku': byForeign(() => ({ jku: evilUrl() })),
    'a foreign key at x5u': byForeign(() => ({ x5u: evilUrl() })),
    'an unknown kid': (made) => sign(made, {}, { kid: 'another' }),
    'a kid that is a path': byForeign(() => ({ kid: '../../dev/null' })),
    'a kid that is SQL': byForeign(() => ({ kid: "' OR 1=1" })),
    'exp in the past': (made) => sign(made, { exp: now() - 60 }),
    'no exp': (made) => sign(made, { exp: undefined }),
    'exp that is text': (made) => sign(made, { exp: String(now() + 900) }),
    'nbf in the future': (made) => sign(made, { nbf: now() + 60 }),
    'another iss': (made) => sign(made, { iss: 'https://evil.example' }),
    'another aud': (made) => sign(made, { aud: 'https://evil.example' }),
    'no aud': (made) => sign(made, { aud: undefined }),
    'typ JWT': (made) => sign(made, {}, { typ: 'JWT' }),
    'no typ': (made) => sign(made, {}, { typ: undefined }),
    'typ of an authorization code': (made) => sign(made, {}, { typ: 'code+jwt' }),
    'the type of an svc token': (made) => sign(made, { type: 'SvcAccessToken' }),
    'the session of another user': async (made) =>
      sign(made, { sid: (await make()).claims['sid'] }),
    'an unknown user': (made) => sign(made, { sub: randomUUID() }),
    'another epoch': (made) => sign(made, { epoch: Number(made.claims['epoch']) + 1 }),
    'no epoch': (made) => sign(made, { epoch: undefined }),
    'two segments': ({ good }) => good.split('.').slice(0, 2).join('.'),
    'four segments': ({ good }) => `${good}.${good.split('.')[2]}`,
    'a trailing =': ({ good }) => `${good}=`,
    'another spelling of its last byte': ({ good }) => respelled(good),
    'a trailing dot': ({ good }) => `${good}.`,
    'a flipped bit in its signature': withPart(2, flip),
    'a signature cut short': withPart(2, (text) => text.slice(0, -4)),
    'claims changed under its signature': (made) =>
      withPart(1, () => part({ ...made.claims, sub: randomUUID() }))(made),
    '8 KB': ({ good }) => good + 'A'.repeat(8_192),
    nothing: () => '',
    'two tokens': ({ good }) => `${good} ${good}`,
  }

  it('is rejected, while the same token signed by the service is accepted with a start within 5 s', async () => {
    const made = await make()
    expect((await account(await sign(made, { nbf: now() + 3 }))).status).toBe(200)
  })

  it.each(Object.keys(forgeries))('is refused: %s', async (name) => {
    const token = await forgeries[name]?.(await make())
    const answer = await account(String(token))
    expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_token'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(fetched).toBe(0)
  })

  it('is rejected: 1 MB, larger than any header may be', async () => {
    const request = `GET /api/account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'A'.repeat(1_048_576)}\r\n\r\n`
    expect((await sendRaw(service.port, request)).status).toBe(431)
    expect((await service.get('/api/emoji')).status).toBe(200)
  })
})
