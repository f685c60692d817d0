import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Kysely } from 'kysely'
import { SealError, type Sealer } from '../../../crypto/seal.ts'
import { noteWithEffect } from '../../../database/request-context.ts'
import { type ErrorKind, refusal, ServiceError } from '../../../errors.ts'
import { toServiceError } from '../../faults.ts'
import { type Budget, createBudget } from '../../limits.ts'
import { networkOf } from '../../network.ts'
import * as keys from './repository.ts'

/** Longer than any request may take: an older attempt is dead. */
const attemptLastsMs = 30_000

/** A row without its response takes 320 bytes with its index entries, and updates leave dead versions. */
const rowBytes = 400

const megabyte = 1_000_000

/** Stored bytes are kept for a day: a network stores at most 230 MB, an import of 100,000 ids 6. */
const storedRates = {
  each: { atOnce: 50 * megabyte, perSecond: 2_000 },
  all: { atOnce: 500 * megabyte, perSecond: 20_000 },
}

type Options = {
  db: Kysely<keys.Tables>
  now: () => Date
  callerOf: (request: FastifyRequest) => string
  /** The HMAC key of request fingerprints. */
  fingerprintKey: Buffer
  /** Stored responses may hold codes and links of their caller. */
  sealer: Pick<Sealer, 'seal' | 'open'>
  render: (error: ServiceError, request: FastifyRequest) => { status: number; body: unknown }
}

/** Errors that the client can fix before a retry with the same key; they are not stored. */
const retriedKinds: readonly ErrorKind[] = [
  'unauthenticated',
  'forbidden',
  'second_factor',
  'limited',
  'unavailable',
  'in_flight',
]

/**
 * Makes routes that declare it idempotent by `Idempotency-Key`: one effect, however often they are
 * called.
 */
export function honourIdempotencyKeys(app: FastifyInstance, options: Options): void {
  const storedBytes = createBudget('stored answers', storedRates)
  app.addHook('onRoute', (route) => {
    const { idempotent } = route.config ?? {}
    if (idempotent)
      route.handler = runOnce(route.handler, idempotent === 'secret', options, storedBytes)
  })
}

function runOnce(
  handler: RouteHandlerMethod,
  secret: boolean,
  options: Options,
  storedBytes: Budget,
): RouteHandlerMethod {
  const { db, now, callerOf, render, fingerprintKey, sealer } = options
  return async function handleOnce(request, reply) {
    const key = readKey(request.headers['idempotency-key'])
    if (key === undefined) return handler.call(this, request, reply)

    const network = networkOf(request.ip)
    const name = hashName(callerOf(request), request, key)
    const attempt = {
      attempt: randomUUID(),
      request_sha256: fingerprint(request, fingerprintKey),
      now: now(),
    }
    const outcome = await begin(db, name, attempt, () => storedBytes.spend(network, rowBytes))
    const place = `response to ${name.toString('hex')}`
    if (outcome) return replay(reply, { ...outcome, body: openBody(sealer, outcome.body, place) })

    const keepAnswer = async (status: number, body: string | null) => {
      storedBytes.take(network, Buffer.byteLength(body ?? ''))
      const sealedBody = body === null ? null : sealer.seal(body, place)
      await keys.keepAnswer(db, name, attempt.attempt, { status, body: sealedBody })
    }
    const note = async (trx: unknown) => {
      const isStored = keys.noteEffect(trx as Kysely<keys.Tables>, name, attempt.attempt, now())
      if (!(await isStored)) throw inFlight()
    }
    try {
      const result = await noteWithEffect(note, () => handler.call(this, request, reply))
      const body = typeof result === 'string' ? result : reply.serialize(result)
      await keepAnswer(reply.statusCode, secret ? null : String(body))
      return reply.type('application/json; charset=utf-8').send(body)
    } catch (thrownError) {
      const error = toServiceError(thrownError)
      if (error && !retriedKinds.includes(error.kind)) {
        const { status, body } = render(error, request)
        await keepAnswer(status, JSON.stringify(body))
      } else await keys.release(db, name, attempt.attempt).catch(() => {})
      throw thrownError
    }
  }
}

type Answer = { status: number; body: string }

/** Claims the key, or replays the response of an earlier attempt. */
async function begin(
  db: Kysely<keys.Tables>,
  name: Buffer,
  attempt: { attempt: string; request_sha256: string; now: Date },
  spend: () => void,
): Promise<Answer | undefined> {
  const known = await keys.find(db, name)
  if (!known) {
    // A replay does not count: the limit must not stop it.
    spend()
    if (await keys.claim(db, name, attempt)) return undefined
  }
  const earlier = known ?? (await keys.find(db, name))
  if (!earlier) throw inFlight()
  if (earlier.request_sha256 !== attempt.request_sha256) throw keyReused()
  if (earlier.status !== null) {
    if (earlier.body === null) throw alreadyDone()
    return { status: earlier.status, body: earlier.body }
  }
  const isAlive = earlier.started_at.getTime() + attemptLastsMs > attempt.now.getTime()
  if (isAlive) throw inFlight()
  if (earlier.effect_at) throw alreadyDone()
  if (!(await keys.takeOver(db, name, earlier.attempt, attempt))) throw inFlight()
  return undefined
}

/** A response whose master key is gone is not replayed. */
function openBody(sealer: Pick<Sealer, 'open'>, sealedBody: string, place: string): string {
  try {
    return sealer.open(sealedBody, place).toString()
  } catch (error) {
    throw error instanceof SealError ? alreadyDone() : error
  }
}

function replay(reply: FastifyReply, { status, body }: Answer) {
  return reply
    .code(status)
    .header('idempotency-replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(body)
}

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new ServiceError(
      'invalid',
      'invalid_idempotency_key',
      'Idempotency-Key must have 1 to 255 visible ASCII characters.',
    )
  }
  return header
}

/** No part contains a line break. */
function hashName(caller: string, { method, url }: FastifyRequest, key: string): Buffer {
  const path = url.split('?', 1)[0] ?? url
  return createHash('sha256').update([caller, method, path, key].join('\n')).digest()
}

/** Keyed: bodies hold passwords, and a plain hash could be tested against guesses. */
function fingerprint({ url, body }: FastifyRequest, key: Buffer): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([url, body ?? null]))
    .digest('hex')
}

const inFlight = () =>
  refusal('in_flight', 'in_flight', 'A request with this Idempotency-Key is still in progress.', {
    retry_after_seconds: 1,
  })

const keyReused = () =>
  refusal(
    'refused',
    'reused_idempotency_key',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
  )

const alreadyDone = () =>
  refusal(
    'refused',
    'already_done',
    'This request has been completed, and its response is not stored. Read the result from its list.',
  )
