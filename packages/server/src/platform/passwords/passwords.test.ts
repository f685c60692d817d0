import { afterEach, describe, expect, it } from 'vitest'
import { createPasswords, queueLimits } from './passwords.ts'
import { createHashThread, type HashThread } from './thread.ts'

const cheap = { memoryCost: 8, timeCost: 1 }
const threads: HashThread[] = []
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop()
})

/** The real thread; records the hashes that passwords are compared with. */
function recordingThread() {
  const thread = createHashThread()
  threads.push(thread)
  const compared: string[] = []
  return {
    ...thread,
    compared,
    verify(storedHash: string, password: string) {
      compared.push(storedHash)
      return thread.verify(storedHash, password)
    },
  }
}
const parametersOf = (hash = '') => hash.split('$').slice(0, 4).join('$')

describe('comparing a password', () => {
  it('comparing a password takes the same work for an account without a hash, and never matches', async () => {
    const thread = recordingThread()
    const passwords = createPasswords({ cost: cheap, thread })
    const storedHash = await passwords.hash('the right one')
    const compare = (hash: string | null | undefined, password: string) =>
      passwords.attempt((matches) => matches(hash, password))

    expect(await compare(storedHash, 'the right one')).toBe(true)
    expect(await compare(storedHash, 'a wrong one')).toBe(false)
    for (const hash of [null, undefined]) {
      expect(await compare(hash, 'a wrong one')).toBe(false)
      // The password of the dummy hash does not match either.
      expect(await compare(hash, 'the dummy password')).toBe(false)
    }
    expect(parametersOf(storedHash)).toBe('$argon2id$v=19$m=8,t=1,p=1')
    expect(thread.compared.map(parametersOf)).toEqual(Array(6).fill(parametersOf(storedHash)))
    expect(passwords.computed()).toBe(7)
  })
})

describe('the queue for hashing', () => {
  it('runs one task at a time, refuses more than its limit with Retry-After, and drains', async () => {
    const passwords = createPasswords({ cost: cheap, thread: recordingThread() })
    let release = () => {}
    const releaseGate = new Promise<void>((resolve) => {
      release = resolve
    })
    let [runningCount, most] = [0, 0]
    const attempts = Array.from({ length: queueLimits.each + 1 }, () =>
      passwords.attempt(async (matches) => {
        most = Math.max(most, ++runningCount)
        await releaseGate
        const isRight = await matches(null, 'x')
        runningCount--
        return isRight
      }),
    )
    const refusal = { code: 'too_many_logins', kind: 'unavailable' }
    await expect(passwords.attempt(async () => true)).rejects.toMatchObject(refusal)
    await expect(passwords.hash('x')).rejects.toMatchObject({
      details: { retry_after_seconds: 2 },
    })
    expect(passwords.computed()).toBe(0)
    release()

    expect(await Promise.all(attempts)).toEqual(Array(queueLimits.each + 1).fill(false))
    expect([most, passwords.computed()]).toEqual([1, queueLimits.each + 1])
    expect(await passwords.attempt(async () => 'room again')).toBe('room again')
  })
})
