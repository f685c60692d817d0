import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type KeyObject, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingKey } from '../support/own-keys.ts'
import { bearer, claimsOf, newcomer } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), signingKey])
const ours = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

const account = (token: string) => service.get('/api/account', bearer(token))
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

/** The same bytes, with the unused bits of the last character set. */
function respellToken(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = letters.indexOf(token.at(-1) ?? '')
  return `${token.slice(0, -1)}${letters[last + 1]}`
}

describe('a forged access token (T36)', () => {
  type TokenParts = { header: object; claims: Record<string, unknown>; good: string }
  type Key = CryptoKey | KeyObject | Uint8Array
  let fetchedCount = 0
  const evil = createServer((_request, response) => {
    fetchedCount++
    response.end('{"keys":[]}')
  })
  let foreign: { privateKey: CryptoKey; publicKey: CryptoKey }
  beforeAll(async () => {
    foreign = await generateKeyPair('EdDSA', { extractable: true })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void evil.close())
  const evilUrl = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/jwks`

  const make = async (): Promise<TokenParts> => {
    const good = (await newcomer(service)).tokens.access_token
    return { good, header: headerOf(good), claims: claimsOf(good) }
  }
  const sign = (
    { header, claims }: TokenParts,
    changes: object,
    head: object = {},
    key: Key = ours,
  ) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ ...header, ...head } as { alg: string })
      .sign(key)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = (alg: string, keep: 'nothing' | 'signature') => (genuine: TokenParts) => {
    const [, , signature = ''] = genuine.good.split('.')
    const end = keep === 'signature' ? signature : ''
    return `${part({ ...genuine.header, alg })}.${part(genuine.claims)}.${end}`
  }
  const byForeign = (head: () => object | Promise<object>) => async (genuine: TokenParts) =>
    sign(genuine, {}, await head(), foreign.privateKey)
  const withHmac = (secret: () => Uint8Array | string) => (genuine: TokenParts) =>
    sign(genuine, {}, { alg: 'HS256' }, Buffer.from(secret()))
  const open = createPublicKey(ours)
  const raw = () => Buffer.from(open.export({ format: 'jwk' }).x ?? '', 'base64url')
  const now = () => Math.floor(service.clock.now().getTime() / 1_000)
  const withPart = (index: number, change: (part: string) => string) => (genuine: TokenParts) =>
    genuine.good
      .split('.')
      .map((one, at) => (at === index ? change(one) : one))
      .join('.')
  const flip = (text: string) => {
    const bytes = Buffer.from(text, 'base64url')
    bytes[7] = (bytes[7] ?? 0) ^ 1
    return bytes.toString('base64url')
  }

  const forgeries: Record<string, (genuine: TokenParts) => string | Promise<string>> = {
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
    'an unknown kid': (genuine) => sign(genuine, {}, { kid: 'another' }),
    'a kid that is a path': byForeign(() => ({ kid: '../../dev/null' })),
    'a kid that is SQL': byForeign(() => ({ kid: "' OR 1=1" })),
    'exp in the past': (genuine) => sign(genuine, { exp: now() - 60 }),
    'no exp': (genuine) => sign(genuine, { exp: undefined }),
    'exp that is text': (genuine) => sign(genuine, { exp: String(now() + 900) }),
    'nbf in the future': (genuine) => sign(genuine, { nbf: now() + 60 }),
    'another iss': (genuine) => sign(genuine, { iss: 'https://evil.example' }),
    'another aud': (genuine) => sign(genuine, { aud: 'https://evil.example' }),
    'no aud': (genuine) => sign(genuine, { aud: undefined }),
    'typ JWT': (genuine) => sign(genuine, {}, { typ: 'JWT' }),
    'no typ': (genuine) => sign(genuine, {}, { typ: undefined }),
    'typ of an authorization code': (genuine) => sign(genuine, {}, { typ: 'code+jwt' }),
    'the type of an svc token': (genuine) => sign(genuine, { type: 'SvcAccessToken' }),
    'the session of another user': async (genuine) =>
      sign(genuine, { sid: (await make()).claims['sid'] }),
    'an unknown user': (genuine) => sign(genuine, { sub: randomUUID() }),
    'another epoch': (genuine) => sign(genuine, { epoch: Number(genuine.claims['epoch']) + 1 }),
    'no epoch': (genuine) => sign(genuine, { epoch: undefined }),
    'two segments': ({ good }) => good.split('.').slice(0, 2).join('.'),
    'four segments': ({ good }) => `${good}.${good.split('.')[2]}`,
    'a trailing =': ({ good }) => `${good}=`,
    'another spelling of its last byte': ({ good }) => respellToken(good),
    'a trailing dot': ({ good }) => `${good}.`,
    'a flipped bit in its signature': withPart(2, flip),
    'a signature cut short': withPart(2, (text) => text.slice(0, -4)),
    'claims changed under its signature': (genuine) =>
      withPart(1, () => part({ ...genuine.claims, sub: randomUUID() }))(genuine),
    '8 KB': ({ good }) => good + 'A'.repeat(8_192),
    nothing: () => '',
    'two tokens': ({ good }) => `${good} ${good}`,
  }

  it('a forged access token (T36) is rejected, while the same token signed by the service is accepted with a start within 5 s', async () => {
    const genuine = await make()
    expect((await account(await sign(genuine, { nbf: now() + 3 }))).status).toBe(200)
  })

  it.each(Object.keys(forgeries))('a forged access token (T36) is rejected: %s', async (name) => {
    const token = await forgeries[name]?.(await make())
    const answer = await account(String(token))
    expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_token'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(fetchedCount).toBe(0)
  })

  it('a forged access token (T36) is rejected: 1 MB, larger than any header may be', async () => {
    const request = `GET /api/account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'A'.repeat(1_048_576)}\r\n\r\n`
    expect((await sendRaw(service.port, request)).status).toBe(431)
    expect((await service.get('/api/emoji')).status).toBe(200)
  })
})
