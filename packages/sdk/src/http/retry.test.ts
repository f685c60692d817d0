import { describe, expect, it } from 'vitest'
import { NetworkError, RefusedError } from '../errors.ts'
import { readRetryAfter, waitBefore } from './retry.ts'

const longestWaitMs = 30_000
const refusedError = (status: number, more = {}) =>
  new RefusedError('no', { status, reason: '', ...more })
const networkError = new NetworkError('lost', {})

describe('before a retry', () => {
  it('the wait doubles, is random, and has a limit', () => {
    const [least, most] = [() => 0, () => 1].map((random) =>
      [0, 1, 2, 10].map((attempt) => waitBefore(networkError, attempt, { longestWaitMs, random })),
    )
    expect(least).toEqual([100, 200, 400, 2_500])
    expect(most).toEqual([200, 400, 800, 5_000])
  })

  it.each([429, 502, 503, 504])('status %i is retried', (status) => {
    expect(waitBefore(refusedError(status), 0, { longestWaitMs })).toBeGreaterThan(0)
  })

  it.each([400, 401, 403, 404, 409, 413, 422, 424, 500])('status %i is not retried', (status) => {
    expect(waitBefore(refusedError(status), 0, { longestWaitMs })).toBeUndefined()
  })

  it('a request still in progress is retried', () => {
    const error = refusedError(409, { reason: 'in_flight' })
    expect(waitBefore(error, 0, { longestWaitMs })).toBeGreaterThan(0)
  })

  it('Retry-After is respected up to a limit', () => {
    const wait = (retryAfterMs: number) =>
      waitBefore(refusedError(503, { retryAfterMs }), 0, { longestWaitMs, random: () => 0 })
    expect([wait(7_000), wait(30_000), wait(30_001)]).toEqual([7_000, 30_000, undefined])
  })

  it('other errors are not retried', () => {
    expect(waitBefore(new Error('bug'), 0, { longestWaitMs })).toBeUndefined()
  })
})

it('Retry-After is parsed as seconds and as a date', () => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  const read = (text: string | null) => readRetryAfter(text, now)
  expect(read('5')).toBe(5_000)
  expect(read('Tue, 01 Jan 2030 00:00:09 GMT')).toBe(9_000)
  expect(read('Mon, 31 Dec 2029 00:00:00 GMT')).toBe(0)
  for (const text of [null, '', 'soon', '-5', '1e9x']) expect(read(text)).toBeUndefined()
})
