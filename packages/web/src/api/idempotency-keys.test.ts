import { describe, expect, it } from 'vitest'
import { idempotencyKeys } from './idempotency-keys.ts'
import { offline, Problem } from './problem.ts'

const keyOf = (key: string) => Promise.resolve(key)
const failing = (problem: Problem) => {
  const keys: string[] = []
  const send = (key: string) => {
    keys.push(key)
    return Promise.reject(problem)
  }
  return { seen: keys, send }
}

describe('an idempotency key', () => {
  it('an idempotency key stays the same while the result of a request is unknown', async () => {
    const once = idempotencyKeys()
    const lostRequest = failing(offline())
    await expect(once(['a', 1], lostRequest.send)).rejects.toThrow()
    expect(await once(['a', 1], keyOf)).toBe(lostRequest.seen[0])
    const busy = failing(new Problem(409, { code: 'in_flight' }))
    await expect(once(['b'], busy.send)).rejects.toThrow()
    expect(await once(['b'], keyOf)).toBe(busy.seen[0])
  })

  it('changes for another request, and after a rejection', async () => {
    const once = idempotencyKeys()
    const refusal = failing(new Problem(422, { code: 'not_refundable' }))
    await expect(once(['a', false], refusal.send)).rejects.toThrow()
    expect(await once(['a', true], keyOf)).not.toBe(refusal.seen[0])
    expect(await once(['a', false], keyOf)).not.toBe(refusal.seen[0])
  })
})
