import { createHash } from 'node:crypto'
import type { State } from '../state.ts'
import { daySeconds } from '../time.ts'
import { CardApiError } from './errors.ts'
import type { StoredAnswer } from './objects.ts'

type KeyedRequest = { key: string; method: string; path: string; body: string }

const fingerprintOf = ({ method, path, body }: KeyedRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest('hex')

/** The stored response of the same request. */
export function earlierAnswer(
  state: State,
  request: KeyedRequest,
  now: number,
): StoredAnswer | undefined {
  const answer = state.get('answer', request.key)
  if (!answer || answer.created + daySeconds <= now) return undefined
  if (answer.fingerprint === fingerprintOf(request)) return answer
  throw new CardApiError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
      `Try using a key other than '${request.key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}

export function keepAnswer(
  state: State,
  request: KeyedRequest,
  answer: Pick<StoredAnswer, 'status' | 'body' | 'created'>,
): void {
  state.put('answer', { id: request.key, fingerprint: fingerprintOf(request), ...answer })
}

export function forgetOldAnswers(state: State, now: number): void {
  for (const { id, created } of state.all('answer')) {
    if (created + daySeconds <= now) state.remove('answer', id)
  }
}
