import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ServiceError } from '../../platform/errors.ts'

/** Something that attempts are counted for, and how many it may fail before it has to wait. */
export type Subject = { key: Buffer; allowed: number }

const second = 1_000
const longestWaitMs = 15 * 60 * second
/** Failures older than this do not count any more. */
export const forgottenAfterMs = 60 * 60 * second

/** A name somebody tried, whether or not it exists. */
export const nameSubject = (name: string): Subject => ({
  key: hashOf(`name ${name}`),
  allowed: 10,
})

/** A second factor of a user, however many logins the tries are spread over. */
export const codeSubject = (user_id: string): Subject => ({
  key: hashOf(`code ${user_id}`),
  allowed: 5,
})

/** Discount and other codes that a user tries, on whatever cart. */
export const redemptionSubject = (user_id: string): Subject => ({
  key: hashOf(`redemption ${user_id}`),
  allowed: 30,
})

/** Where somebody tries from; of IPv6 the network that one customer gets. */
export const addressSubject = (address: string): Subject => ({
  key: hashOf(`address ${isIPv6(address) ? networkOf(address) : address}`),
  allowed: 40,
})

/** 1 s after the last allowed failure, then twice as long each time. */
export const waitMs = (failures: number, allowed: number): number =>
  failures < allowed ? 0 : Math.min(longestWaitMs, second * 2 ** Math.min(20, failures - allowed))

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === '' ? 0 : tail.split(':').length
  const whole = address.includes('::')
    ? [
        ...groups,
        ...Array<string>(Math.max(0, 8 - groups.length - rest)).fill('0'),
        ...tail.split(':'),
      ]
    : groups
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}

export class TooManyAttemptsError extends ServiceError {
  override readonly name = 'Throttle.TooManyAttemptsError'
  constructor(ms: number) {
    super('limited', 'too_many_attempts', 'Too many failed attempts. Wait before trying again.', {
      retry_after_seconds: Math.max(1, Math.ceil(ms / second)),
    })
  }
}
