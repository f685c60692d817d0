import { createHash } from 'node:crypto'
import type { State } from '../state.ts'
import { daySeconds } from '../time.ts'
import { CardApiError } from './errors.ts'
import type { StoredAnswer } from './objects.ts'

type Asked = { key: string; method: string; path: string; body: string }

const fingerprintOf = ({ method, path, body }: Asked): string =>
  createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest('hex')

/** The stored response of the same request. */
export function earlierAnswer(state: State, asked: Asked, now: number): StoredAnswer | undefined {
  const found = state.get('answer', asked.key)
  if (!found || found.created + daySeconds <= now) return undefined
  if (found.fingerprint === fingerprintOf(asked)) return found
  throw new CardApiError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
      `Try using a key other than '${asked.key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}

export function keepAnswer(
  state: State,
  asked: Asked,
  answer: Pick<StoredAnswer, 'status' | 'body' | 'created'>,
): void {
  state.put('answer', { id: asked.key, fingerprint: fingerprintOf(asked), ...answer })
}

export function forgetOldAnswers(state: State, now: number): void {
  for (const { id, created } of state.all('answer')) {
    if (created + daySeconds <= now) state.remove('answer', id)
  }
}
