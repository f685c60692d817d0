import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RefusedError } from '@emojid/sdk'
import type { Context } from '../command.ts'
import type { Good } from './parts.ts'
import type { Result } from './results.ts'

/** Back-off for a busy or restarting service, beyond the retries of the client. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Sends one part under one idempotency key: it takes effect once, however often it is sent. */
export async function sendPart(
  { call, world }: Context,
  rows: readonly Good[],
  how: { dry_run: boolean; replace_all: boolean; reason?: string },
): Promise<Result[]> {
  const body = { rows: rows.map(({ row }) => row), ...how }
  const idempotencyKey = randomUUID()
  for (let attempt = 0; ; attempt++) {
    try {
      const { data } = await call((client) =>
        client.api.operators.importEmojiIds({ body, idempotencyKey }),
      )
      return rows.map(({ number: row, row: { emoji_id } }, place): Result => {
        const { status = 'refused', error, added, removed } = data[place] ?? {}
        return {
          row,
          emoji_id,
          status,
          ...(error ?? {}),
          ...(added && added.length > 0 ? { added } : {}),
          ...(removed && removed.length > 0 ? { removed } : {}),
        }
      })
    } catch (error) {
      const wait = waitsMs[attempt]
      if (wait === undefined || !mayPass(error)) throw error
      await sleep(wait, undefined, { signal: world.signal })
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof RefusedError &&
  ([502, 503, 504].includes(error.status) || error.reason === 'in_flight')
