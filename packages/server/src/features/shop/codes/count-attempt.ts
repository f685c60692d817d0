import { redemptionSubject } from '../../identity/throttle/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/**
 * Rate limits guesses: runs work that reserves or activates a code, unless the user guessed wrong
 * too often. Never called inside a transaction, which would hold one connection and wait for
 * another.
 */
export async function countAttempt<Result>(
  { throttle }: Deps,
  user_id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const subject = redemptionSubject(user_id)
  await throttle.countAttempt(subject)
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = error instanceof rules.InvalidCodeError
    throw error
  } finally {
    // If this fails, the count stays one too high; the work is done anyway.
    if (!isWrong) await throttle.uncountAttempt(subject).catch(() => {})
  }
}
