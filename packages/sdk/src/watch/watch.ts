import type { EmojiId } from '@emojid/core'
import { membersIn } from '../directory/answers.ts'
import {
  InvalidIdError,
  InvalidRequestError,
  NetworkError,
  RefusedError,
  UnexpectedAnswerError,
} from '../errors.ts'
import type { Connection } from '../http/connection.ts'
import { readJson } from '../http/read-answer.ts'
import { backOffBefore } from '../http/retry.ts'
import { sleep, withAbort } from '../http/waiting.ts'
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
/** The service refuses further streams of a network; polls still work. */
const usualStreamPauseMs = 60_000
/** Renewed long before the hour ends. */
const renewBeforeMs = 20 * 60_000
const usualLongestWaitMs = 60_000

type State = {
  ids: readonly EmojiId[]
  onChange: (change: Change) => unknown
  onError: (error: unknown, id?: string) => void
  signal: AbortSignal
  token?: { watch: string; expiresAt: number }
  cursor?: string
  muteStreams: number
  /** No stream is opened before this time. */
  pollUntil: number
  /** The directory has responded as one. */
  isReady: boolean
  /** Changes may be missing. */
  isMissing: boolean
}

type Pace = Required<Omit<WatchOptions, 'signal' | 'onError'>>

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
  /** Fixes the cursor: the watch reports every change after it. */
  const begin = async (state: State): Promise<string> => {
    await tokenOf(state)
    state.cursor ??= (await readPage(state, {})).next
    return state.cursor
  }
  const report = async (state: State, readEvent: () => unknown) => {
    const change = toChange(readEvent)
    if (change === 'unreadable') {
      state.isMissing = true
      await reportMissing(state)
    } else if (change && state.ids.includes(change.id)) await tell(state, change)
  }
  const poll = async (state: State, pollMs: number) => {
    const watch = await tokenOf(state)
    const after = state.cursor ?? ''
    const { data, next } = await readPage(state, { after, watch })
    for (const event of data) await report(state, () => event)
    state.cursor = next
    // An equal cursor says that nothing is left to read.
    if (next === after) await sleep(pollMs, state.signal)
  }
  const follow = async (state: State, { helloMs, pollMs }: Pace) => {
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
        if (data !== undefined) await report(state, () => readJson(data))
        if (id) state.cursor = id
      }
    } catch (error) {
      // Every other error here comes from the connection: `tell` catches those of the caller.
      if (state.signal.aborted || error instanceof RefusedError) throw error
    } finally {
      clearTimeout(hello)
      state.signal.removeEventListener('abort', end)
      state.muteStreams = isMute ? state.muteStreams + 1 : 0
      if (state.muteStreams >= muteStreamsAtMost) {
        state.muteStreams = 0
        state.pollUntil = Date.now() + pollsBeforeStream * pollMs
      }
    }
    // Spreads the clients of a service that restarts.
    await sleep(200 + Math.random() * 800, state.signal)
  }

  /** Reports after the new cursor is set, so that later changes are reported too. */
  const reportMissing = async (state: State) => {
    if (!state.isMissing) return
    state.isMissing = false
    for (const id of state.ids) await tell(state, { id, reason: 'missed' })
  }
  const recover = async (state: State, error: unknown, attempt: number, pace: Pace) => {
    if (state.signal.aborted) throw error
    const { status, reason = '', retryAfterMs } = error instanceof RefusedError ? error : {}
    if (status === 410) {
      if (reason === 'unknown_watch') delete state.token
      else {
        delete state.cursor
        state.isMissing = true
      }
      return
    }
    if (reason.startsWith('too_many_streams')) {
      state.pollUntil = Date.now() + (retryAfterMs ?? usualStreamPauseMs)
      return
    }
    if (!canPass(error, state.isReady)) throw error
    // Random, so that clients that were refused together do not return together.
    const longestMs = pace.longestWaitMs * (1 - Math.random() / 10)
    const waitMs = Math.min((retryAfterMs ?? 0) + backOffBefore(attempt), longestMs)
    await sleep(waitMs, state.signal)
  }
  const run = async (state: State, pace: Pace, ready: () => void) => {
    for (let attempt = 0; ; ) {
      try {
        await begin(state)
        await reportMissing(state)
        state.isReady = true
        ready()
        const canStream = pace.mode === 'stream' && Date.now() >= state.pollUntil
        await (canStream ? follow(state, pace) : poll(state, pace.pollMs))
        attempt = 0
      } catch (error) {
        await recover(state, error, attempt, pace)
        attempt++
      }
    }
  }

  return (texts, onChange, options = {}) => {
    const { signal, mode = 'stream', pollMs = 5_000, helloMs = usualHelloMs } = options
    const { longestWaitMs = usualLongestWaitMs } = options
    const onError = guardHandler(options.onError ?? logError)
    const pace = { mode, pollMs, helloMs, longestWaitMs }
    const ids = readIds(texts, onError)
    const controller = new AbortController()
    const close = () => controller.abort()
    signal?.addEventListener('abort', close, { once: true })
    if (signal?.aborted) close()
    const state: State = {
      ids,
      onChange,
      onError,
      signal: controller.signal,
      muteStreams: 0,
      pollUntil: 0,
      isReady: false,
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
        if (controller.signal.aborted) return
        onError(error)
        throw error
      })
      .finally(() => signal?.removeEventListener('abort', close))
    // Callers may use neither promise.
    ready.catch(() => {})
    closed.catch(() => {})
    return { ready, closed, close }
  }
}

/** Reports a change to the caller, whose errors do not end the watch. */
async function tell({ onChange, onError, signal }: State, change: Change): Promise<void> {
  try {
    await withAbort(Promise.resolve(onChange(change)), signal)
  } catch (error) {
    signal.throwIfAborted()
    onError(error, change.id)
  }
}

/** The change of an event; undefined for types of newer services. */
function toChange(readEvent: () => unknown): Change | 'unreadable' | undefined {
  try {
    const { type, timestamp, data } = membersIn(readEvent(), 'an event')
    const { emoji_id: id, version, tags } = membersIn(data, 'the data of an event')
    if (typeof type !== 'string' || !type.startsWith('emoji_id.')) return undefined
    if (typeof id !== 'string' || typeof version !== 'number' || !Array.isArray(tags)) {
      return 'unreadable'
    }
    return { id, reason: 'event', type, version, tags, timestamp } as unknown as Change
  } catch {
    return 'unreadable'
  }
}

/** The ids in canonical form. One unusable id does not stop the watch of the others. */
function readIds(texts: readonly string[], onError: State['onError']): EmojiId[] {
  const ids = new Set<EmojiId>()
  const failures: [InvalidIdError, string][] = []
  for (const text of texts) {
    try {
      ids.add(parseId(text))
    } catch (error) {
      if (!(error instanceof InvalidIdError)) throw error
      failures.push([error, text])
    }
  }
  if (ids.size === 0 && failures[0]) throw failures[0][0]
  if (ids.size === 0 || ids.size > idsAtMost) {
    throw new InvalidRequestError(`Pass 1 to ${idsAtMost.toLocaleString('en')} ids to watch.`)
  }
  for (const [error, text] of failures) onError(error, text)
  return [...ids]
}

/**
 * Whether a later attempt may succeed. Once the directory has responded, a strange response comes
 * from a proxy or a login page of a network; only a refusal of the request itself is final.
 */
function canPass(error: unknown, isReady: boolean): boolean {
  if (error instanceof NetworkError) return true
  if (error instanceof UnexpectedAnswerError) return isReady
  if (!(error instanceof RefusedError)) return false
  const { status, isExplained } = error
  if (status >= 500 || [408, 425, 429].includes(status)) return true
  return isReady && !(isExplained && [400, 422].includes(status))
}

/** An error of the handler must not look like one of the connection. */
const guardHandler =
  (onError: State['onError']): State['onError'] =>
  (error, id) => {
    try {
      onError(error, id)
    } catch (failure) {
      logError(failure, id)
    }
  }

/** Replaces a missing `onError`: an error must not pass unnoticed. */
const logError = (error: unknown, id?: string) =>
  // biome-ignore lint/suspicious/noConsole: the caller passed no other way to report it
  console.error(...(id === undefined ? [] : [id]), error)

const strange = () => new UnexpectedAnswerError('The events are not in the format of a directory.')
