import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withQuery } from '../../../platform/http/pages/links.ts'
import { isVerified, parameters, problemOf, type Query } from './rules.ts'

const at = new Date()
const client = {
  id: 'app',
  organization_id: 'org',
  name: 'Crab Chat',
  logo: null,
  redirect_uris: ['https://chat.example/back', 'https://chat.example/other?a=1'],
  created_at: at,
  updated_at: at,
  deleted_at: null,
}
const challenge = 'x'.repeat(43)
const good: Query = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: client.redirect_uris[0],
  scope: 'svc',
  state: 'xyz',
}
const errorOf = (change: Query) => problemOf({ ...good, ...change }, client)?.error

describe('an authorization request', () => {
  it('an authorization request is valid with any registered redirect address, without a state, and with a challenge', () => {
    expect(problemOf(good, client)).toBeUndefined()
    expect(errorOf({ redirect_uri: client.redirect_uris[1] })).toBeUndefined()
    expect(errorOf({ state: undefined })).toBeUndefined()
    expect(errorOf({ code_challenge: challenge, code_challenge_method: 'S256' })).toBeUndefined()
    expect(errorOf({ svc: '🦀', prompt: ['twice', 'twice'] })).toBeUndefined()
  })

  it('throws for an unknown client or redirect address instead of redirecting', () => {
    expect(() => problemOf(good, undefined)).toThrow('We don’t know the app')
    for (const redirect_uri of [undefined, '', 'https://chat.example/', [good['redirect_uri']]]) {
      expect(() => problemOf({ ...good, redirect_uri }, client)).toThrow('isn’t registered')
    }
  })

  it('reports its first problem', () => {
    /** Each case also has the problems of all later cases. */
    const inOrder: [Query, string][] = [
      [{ state: ['a', 'b'] }, 'invalid_request'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'admin' }, 'invalid_scope'],
      [{ state: 'x'.repeat(51) }, 'invalid_request'],
      [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ]
    const descriptions = inOrder.map(([, error], nth) => {
      const wrong = inOrder.slice(nth).map(([change]) => change)
      const problem = problemOf(Object.assign({}, good, ...wrong.toReversed()), client)
      expect(problem?.error).toBe(error)
      return problem?.error_description
    })
    expect(new Set(descriptions).size).toBe(inOrder.length)
    const last = Object.assign({}, good, ...inOrder.map(([change]) => change))
    expect(() => problemOf(last, undefined)).toThrow('We don’t know')
  })

  it.each([...parameters.filter((name) => !/client|redirect/.test(name)), 'svc'])(
    'is refused with %s twice',
    (name) => expect(errorOf({ [name]: ['a', 'a'] })).toBe('invalid_request'),
  )

  it.each([
    ['x'.repeat(50), undefined],
    ['🦀'.repeat(50), undefined],
    ['x'.repeat(51), 'invalid_request'],
    ['🦀'.repeat(51), 'invalid_request'],
    ['', undefined],
  ])('limits the characters of a state, not the bytes: %s', (state, error) =>
    expect(errorOf({ state })).toBe(error),
  )

  it.each([
    [undefined, 'S256'],
    [challenge, undefined],
    [challenge, 'plain'],
    [challenge, 's256'],
    [challenge, ''],
    ['', 'S256'],
    ['x'.repeat(42), 'S256'],
    ['x'.repeat(44), 'S256'],
    [`${'x'.repeat(42)}=`, 'S256'],
  ])('rejects the challenge %s with method %s', (code_challenge, code_challenge_method) =>
    expect(errorOf({ code_challenge, code_challenge_method })).toBe('invalid_request'),
  )
})

describe('the redirect to the application', () => {
  const to = 'https://chat.example/back'
  it.each([
    [to, { code: 'c', state: 's' }, `${to}?code=c&state=s`],
    [`${to}?a=1`, { code: 'c' }, `${to}?a=1&code=c`],
    [to, { code: 'c', state: undefined }, `${to}?code=c`],
    [to, { code: 'c', state: '' }, `${to}?code=c`],
    [to, { state: '&b=c#d e+f' }, `${to}?state=%26b%3Dc%23d%20e%2Bf`],
    [to, { state: '\r\nA: b' }, `${to}?state=%0D%0AA%3A%20b`],
    [to, { state: '🦀' }, `${to}?state=%F0%9F%A6%80`],
    [to, { state: '\ud800' }, `${to}?state=%EF%BF%BD`],
  ])('the redirect to the application from %s with %j is %s', (uri, members, expected) =>
    expect(withQuery(uri, members)).toBe(expected),
  )
})

describe('a PKCE verifier', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
  const [least, most] = ['a'.repeat(43), 'a'.repeat(128)]
  it.each([
    ['that matches', hash(least), least, true],
    ['that matches and has the maximum length', hash(most), most, true],
    ['with every allowed character', hash(`${least}-._~Z9`), `${least}-._~Z9`, true],
    ['that is absent without a challenge', undefined, undefined, true],
    ['without a challenge', undefined, least, false],
    ['that is missing', hash(least), undefined, false],
    ['that is empty', hash(''), '', false],
    ['of another challenge', hash(least), 'b'.repeat(43), false],
    ['that is the challenge', hash(least), hash(least), false],
    ['that is too short', hash('a'.repeat(42)), 'a'.repeat(42), false],
    ['that is too long', hash('a'.repeat(129)), 'a'.repeat(129), false],
    ['with a forbidden character', hash(`${least}+`), `${least}+`, false],
  ])('%s', (_, codeChallenge, verifier, expected) =>
    expect(isVerified(codeChallenge, verifier)).toBe(expected),
  )
})
