import type { EmojiId } from '@emojid/core'
import { membersIn } from '../directory/answers.ts'
import {
  InvalidRequestError,
  NetworkError,
  RefusedError,
  UnexpectedAnswerError,
} from '../errors.ts'
import type { Connection } from '../http/connection.ts'
import { readJson } from '../http/read-answer.ts'
import { waitBefore } from '../http/retry.ts'
import { sleep } from '../http/waiting.ts'
import { parseId } from '../ids.ts'
import { readServerSentEvents } from './server-sent-events.ts'
import type { Change, Watch, WatchOptions } from './types.ts'

const idsAtMost = 1_000
/** The service sends a heartbeat every 15 s. */
const silenceMs = 40_000
/** The first bytes of a stream arrive immediately, unless a proxy buffers responses. */
const usualHelloMs = 8_000
/** After this many silent streams, polling takes over for a while. */
const muteStreamsAtMost = 2
const pollsBeforeStream = 100
/** Renewed long before the hour ends. */
const renewBeforeMs = 20 * 60_000
const longestWaitMs = 60_000

type State = {
  ids: readonly EmojiId[]
  onChange: (change: Change) => void
  signal: AbortSignal
  token?: { watch: string; expiresAt: number }
  cursor?: string
  muteStreams: number
  /** Changes may be missing. */
  isMissing: boolean
}

type Pace = Required<Omit<WatchOptions, 'signal'>>

/** Follows the feed of the directory for a list of ids: as a stream, or by polling. */
export function createWatch({ ask, openStream }: Pick<Connection, 'ask' | 'openStream'>): Watch {
  const send = (body: object, signal: AbortSignal) =>
    ask({ method: 'POST', path: '/events/watch', body, access: 'public', repeatable: true, signal })

  /** The token that stands for the ids; they are too many for an address. */
  const tokenOf = async (state: State): Promise<string> => {
    const { token, ids, signal } = state
    const now = Date.now()
    if (token && token.expiresAt - now > renewBeforeMs) return token.watch
    const body = token && token.expiresAt > now ? { watch: token.watch } : { emoji_ids: ids }
    const { watch, expires_at } = membersIn(await send(body, signal), 'a watch')
    const expiresAt = Date.parse(String(expires_at))
    if (typeof watch !== 'string' || Number.isNaN(expiresAt)) throw strange()
    state.token = { watch, expiresAt }
    return watch
  }
  const readPage = async (state: State, query: Record<string, string>) => {
    const answer = await ask({
      method: 'GET',
      path: '/events',
      query,
      access: 'public',
      repeatable: true,
      signal: state.signal,
    })
    const { data, next } = membersIn(answer, 'events')
    if (!Array.isArray(data) || typeof next !== 'string') throw strange()
    return { data: data as unknown[], next }
  }
  /** From here on every change is reported. */
  const begin = async (state: State): Promise<string> => {
    await tokenOf(state)
    state.cursor ??= (await readPage(state, {})).next
    return state.cursor
  }
  const report = (state: State, event: unknown) => {
    const { type, timestamp, data } = membersIn(event, 'an event')
    const { emoji_id: id, version, tags } = membersIn(data, 'the data of an event')
    // Newer services may have further types of events.
    if (typeof type !== 'string' || !type.startsWith('emoji_id.')) return
    if (typeof id !== 'string' || typeof version !== 'number' || !Array.isArray(tags)) {
      throw strange()
    }
    const change = { id, reason: 'event', type, version, tags, timestamp }
    if (state.ids.includes(id as EmojiId)) state.onChange(change as unknown as Change)
  }
  const poll = async (state: State, pollMs: number) => {
    const watch = await tokenOf(state)
    const after = state.cursor ?? ''
    const { data, next } = await readPage(state, { after, watch })
    for (const event of data) report(state, event)
    state.cursor = next
    // An equal cursor says that nothing is left to read.
    if (next === after) await sleep(pollMs, state.signal)
  }
  const follow = async (state: State, helloMs: number) => {
    const query = { after: state.cursor ?? '', watch: await tokenOf(state) }
    const controller = new AbortController()
    const end = () => controller.abort()
    state.signal.addEventListener('abort', end, { once: true })
    let isMute = true
    const hello = setTimeout(end, helloMs)
    try {
      const body = await openStream({ path: '/events', query, signal: controller.signal })
      const read = { silenceMs, whenSilent: end }
      for await (const { id, data } of readServerSentEvents(body, read)) {
        clearTimeout(hello)
        isMute = false
        if (data !== undefined) report(state, readJson(data))
        if (id) state.cursor = id
      }
    } catch (error) {
      if (state.signal.aborted || !isBreak(error)) throw error
    } finally {
      clearTimeout(hello)
      state.signal.removeEventListener('abort', end)
      state.muteStreams = isMute ? state.muteStreams + 1 : 0
    }
    // Spreads the clients of a service that restarts.
    await sleep(200 + Math.random() * 800, state.signal)
  }

  /** After a new cursor, so that later changes are reported. */
  const reportMissing = (state: State) => {
    if (!state.isMissing) return
    state.isMissing = false
    for (const id of state.ids) state.onChange({ id, reason: 'missed' })
  }
  const recover = async (state: State, error: unknown, attempt: number) => {
    if (state.signal.aborted) throw error
    if (error instanceof RefusedError && error.status === 410) {
      if (error.reason === 'unknown_watch') delete state.token
      else {
        delete state.cursor
        state.isMissing = true
      }
      return
    }
    const wait = waitBefore(error, attempt, { longestWaitMs })
    if (wait === undefined) throw error
    await sleep(wait, state.signal)
  }
  const run = async (state: State, pace: Pace, ready: () => void) => {
    const { mode, pollMs, helloMs } = pace
    let polls = 0
    for (let attempt = 0; ; ) {
      try {
        await begin(state)
        reportMissing(state)
        ready()
        if (mode === 'stream' && state.muteStreams < muteStreamsAtMost) await follow(state, helloMs)
        else {
          await poll(state, pollMs)
          polls++
          if (polls % pollsBeforeStream === 0) state.muteStreams = 0
        }
        attempt = 0
      } catch (error) {
        await recover(state, error, attempt)
        attempt++
      }
    }
  }

  return (texts, onChange, options = {}) => {
    const { signal, mode = 'stream', pollMs = 5_000, helloMs = usualHelloMs } = options
    const pace = { mode, pollMs, helloMs }
    const ids = [...new Set(texts.map(parseId))]
    if (ids.length === 0 || ids.length > idsAtMost) {
      throw new InvalidRequestError(`Pass 1 to ${idsAtMost.toLocaleString('en')} ids to watch.`)
    }
    const controller = new AbortController()
    const close = () => controller.abort()
    signal?.addEventListener('abort', close, { once: true })
    if (signal?.aborted) close()
    const state: State = {
      ids,
      onChange,
      signal: controller.signal,
      muteStreams: 0,
      isMissing: false,
    }
    let isReady = () => {}
    let isFailed = (_error: unknown) => {}
    const ready = new Promise<void>((resolve, reject) => {
      isReady = resolve
      isFailed = reject
    })
    const closed = run(state, pace, isReady)
      .catch((error) => {
        isFailed(error)
        if (!controller.signal.aborted) throw error
      })
      .finally(() => signal?.removeEventListener('abort', close))
    // Callers may use neither promise.
    ready.catch(() => {})
    closed.catch(() => {})
    return { ready, closed, close }
  }
}

/** A lost connection; the next stream continues at the cursor. */
const isBreak = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof TypeError ||
  (error instanceof Error && error.name === 'AbortError')

const strange = () => new UnexpectedAnswerError('The events are not in the format of a directory.')
