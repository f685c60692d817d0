import { isLoopback } from '@emojid/core'
import {
  InvalidRequestError,
  NetworkError,
  RefusedError,
  UnexpectedAnswerError,
} from '../errors.ts'
import { createEtagCache } from './etag-cache.ts'
import { isObject, readJson, readText, toRefusal } from './read-answer.ts'
import { waitBefore } from './retry.ts'
import { createSession, subjectOf, type TokenStore, type Tokens } from './session.ts'
import { inTime, sleep, withAbort } from './waiting.ts'

export type ConnectionOptions = {
  /** The base address of the API, such as `https://example.com/api`. */
  api: string
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** An API key, sent where an account is needed. */
  apiKey?: string
  /** Tokens of the signed-in user, refreshed here; sent where an account is needed. */
  tokens?: TokenStore
  /** Time limit of one attempt; default: 10 seconds. */
  timeoutMs?: number
  /** Number of retries of a repeatable request; default: 3. */
  retries?: number
  /** A longer Retry-After ends the retries; default: 30 seconds. */
  longestWaitMs?: number
  /** Capacity of the ETag cache; default: 256, and 0 in browsers, which have their own cache. */
  keptAnswers?: number
  /** Allows plain http to other machines. */
  allowHttp?: boolean
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined

export type ApiRequest = {
  method: string
  path: string
  query?: Readonly<Record<string, QueryValue>> | undefined
  body?: unknown
  /** Credentials are ignored, optional or required. */
  access: 'public' | 'optional' | 'user'
  /** Safe or idempotent: it may be sent again. */
  repeatable: boolean
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

type StreamRequest = {
  path: string
  query: Readonly<Record<string, QueryValue>>
  signal: AbortSignal
}

export type Connection = ReturnType<typeof createConnection>

/**
 * Sends requests and returns JSON of unknown shape; throws an `EmojidError`, or the reason of an
 * aborted signal.
 */
export function createConnection(options: ConnectionOptions) {
  const { timeoutMs = 10_000, retries = 3, longestWaitMs = 30_000, apiKey, tokens } = options
  const base = readBase(options)
  const { host } = new URL(base)
  const send = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const isBrowser = 'location' in globalThis
  const cache = createEtagCache(options.keptAnswers ?? (isBrowser ? 0 : 256))

  const exchange = (request: ApiRequest, url: string, token: string | undefined) =>
    inTime(
      async (signal) => {
        const knownAnswer = isKept(request) ? cache.get(url) : undefined
        const response = await send(url, {
          ...initOf(request, { token, apiKey, etag: knownAnswer?.etag }),
          signal,
        })
        if (response.status === 304 && knownAnswer) return { response, text: knownAnswer.text }
        const text = await readText(response)
        if (isKept(request) && response.ok) cache.keep(url, response.headers.get('etag'), text)
        if (response.status === 404 || response.status === 451) cache.forget(url)
        return { response, text }
      },
      {
        ms: timeoutMs,
        signal: request.signal,
        host,
        hint: isClosedHere(request) ? otherOrigin : '',
      },
    )
  const isElsewhere = isBrowser && globalThis.location?.origin !== new URL(base).origin
  const isClosedHere = (request: ApiRequest) => isElsewhere && !isOpenToPages(request)

  /** Another tab that shares the store may sign in to another account during a request. */
  const loadSubject = async (store: TokenStore, signal: AbortSignal | undefined) => {
    const knownTokens = await withAbort(Promise.resolve(store.load()), signal)
    return { subject: subjectOf(knownTokens?.access_token) }
  }

  const tryOnce = async (
    request: ApiRequest,
    url: string,
    by: { subject: string | undefined } | undefined,
  ): Promise<unknown> => {
    const asWhom = by && session
    const isTheirs = (token: string) => by !== undefined && subjectOf(token) === by.subject
    const token = asWhom && (await withAbort(asWhom.accessToken(), request.signal))
    if (token && !isTheirs(token)) throw otherPerson()
    let answer = await exchange(request, url, token)
    if (answer.response.status === 401 && asWhom && token) {
      const next = await withAbort(asWhom.renew(token), request.signal)
      if (next && isTheirs(next)) answer = await exchange(request, url, next)
    }
    const { response, text } = answer
    if (leadsElsewhere(response)) {
      throw new UnexpectedAnswerError(
        `${host} redirects to another host. Use the address of the API itself.`,
      )
    }
    if (!response.ok && response.status !== 304) throw toRefusal(response, text)
    return readJson(text)
  }

  const ask = async (request: ApiRequest): Promise<unknown> => {
    const url = base + request.path + queryOf(request.query)
    const isByNobody = request.access === 'public' || !tokens
    const by = isByNobody ? undefined : await loadSubject(tokens, request.signal)
    for (let attempt = 0; ; attempt++) {
      try {
        return await tryOnce(request, url, by)
      } catch (error) {
        const mayRepeat = request.repeatable && attempt < retries
        const wait = mayRepeat ? waitBefore(error, attempt, { longestWaitMs }) : undefined
        if (wait === undefined) throw error
        await sleep(wait, request.signal)
      }
    }
  }

  const session =
    tokens &&
    createSession({
      store: tokens,
      // The service returns the same successor for a repeated token within a minute.
      refresh: async (refresh_token) =>
        readTokens(
          await ask({
            method: 'POST',
            path: '/auth/token/refresh',
            body: { refresh_token },
            access: 'public',
            repeatable: true,
          }),
        ),
    })

  /** Opens a public stream of server-sent events. The caller's signal closes it. */
  const openStream = async ({ path, query, signal }: StreamRequest) => {
    const response = await send(base + path + queryOf(query), {
      headers: { accept: 'text/event-stream' },
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    if (!response.ok) throw toRefusal(response, await readText(response))
    const type = response.headers.get('content-type') ?? ''
    if (!response.body || !type.startsWith('text/event-stream')) {
      throw new NetworkError(`${host} sends no stream.`, {})
    }
    return response.body
  }

  return { ask, openStream, tokens }
}

export function readTokens(answer: unknown): Tokens {
  const { access_token, refresh_token } = isObject(answer) ? answer : {}
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') {
    throw new UnexpectedAnswerError('The service returned no tokens.')
  }
  return { access_token, refresh_token }
}

const leadsElsewhere = ({ type, status }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)

const otherPerson = () =>
  new RefusedError('Another account is signed in now, so nothing was sent.', {
    status: 401,
    reason: 'other_account',
  })

/** Requests that pages of any origin may send. */
const isOpenToPages = ({ method, path, access }: ApiRequest) =>
  access === 'public' &&
  (method === 'GET' || path === '/emoji_id/lookup' || path === '/events/watch')

const otherOrigin =
  ' Or this page has another origin than the directory: such pages can only look ids up. Send other requests through your server.'

/** Personal responses are not cached. */
const isKept = ({ method, access }: ApiRequest) => method === 'GET' && access === 'public'

type Credentials = {
  token?: string | undefined
  apiKey?: string | undefined
  etag?: string | undefined
}

function initOf(request: ApiRequest, { token, apiKey, etag }: Credentials): RequestInit {
  const { method, body, access, idempotencyKey } = request
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (token) headers['authorization'] = `Bearer ${token}`
  if (apiKey && access !== 'public') headers['x-api-key'] = apiKey
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (etag) headers['if-none-match'] = etag
  return {
    method,
    headers,
    redirect: 'manual',
    credentials: 'omit',
    // The browser cache must revalidate each time: a cached address may have changed.
    ...(method === 'GET' ? { cache: 'no-cache' as const } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

function queryOf(query: ApiRequest['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function readBase({ api, allowHttp = false }: ConnectionOptions): string {
  const url = URL.canParse(api) ? new URL(api) : undefined
  // A refused address may contain a password, and is not shown.
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError('This is not the address of an API. Use https://…/api.')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidRequestError(
      `Use only the address of the API, such as https://${url.host}/api, without name, password, query or fragment.`,
    )
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new InvalidRequestError(
      `Responses over plain http can be altered on the way. Use https, not ${url.origin}.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}
