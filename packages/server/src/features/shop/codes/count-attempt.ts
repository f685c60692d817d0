import { redemptionSubjects } from '../../identity/throttle/throttle.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Deps } from './codes.ts'
import * as rules from './rules.ts'

/** The person who tries a text, the network of the request, and the partner of a new code. */
export type Guesser = {
  user_id: string
  network: string
  organization_id?: string | null | undefined
}

/**
 * Rate limits guesses: runs work that reserves or activates a code, unless there were too many wrong
 * guesses. Never called inside a transaction, which would hold one connection and wait for another.
 */
export const countAttempt = <Result>(
  deps: Deps,
  guesser: Guesser,
  work: () => Promise<Result>,
): Promise<Result> => countGuess(deps, guesser, work, (error) => rules.isInvalidCode(error))

/**
 * Rate limits the texts of new codes: a text that is refused as taken exists, and a text that is
 * accepted does not. Operators who may list all codes learn nothing.
 */
export function countNewText<Result>(
  deps: Deps,
  caller: Principal,
  guesser: Omit<Guesser, 'user_id'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (caller.scopes.has('code:read')) return work()
  const { user_id } = caller
  return countGuess(
    deps,
    { user_id, ...guesser },
    work,
    (error) => error === undefined || rules.isTaken(error),
  )
}

/** `tells` says whether an outcome, a success or an error, counts. */
async function countGuess<Result>(
  { throttle }: Deps,
  { user_id, network, organization_id }: Guesser,
  work: () => Promise<Result>,
  tells: (error: unknown) => boolean,
): Promise<Result> {
  const subjects = redemptionSubjects(user_id, network, organization_id)
  await throttle.countAttempt(...subjects)
  let outcome: unknown
  try {
    return await work()
  } catch (error) {
    outcome = error
    throw error
  } finally {
    // If this fails, the count stays one too high; the work is done anyway.
    if (!tells(outcome)) await throttle.uncountAttempt(...subjects).catch(() => {})
  }
}
