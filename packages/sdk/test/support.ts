import { readFileSync } from 'node:fs'
import { recordHash, type Tag } from '@emojid/core'

type ServiceRequest = {
  url: string
  method: string
  headers: Headers
  body: unknown
  signal: AbortSignal
  cache: RequestCache | undefined
}
type Reply = (request: ServiceRequest, place: number) => Response | Promise<Response>

/** A service with the response of the test; records its requests. */
export function fakeService(reply: Reply) {
  const requests: ServiceRequest[] = []
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const one: ServiceRequest = {
      url: String(url),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      signal: init.signal as AbortSignal,
      cache: init.cache,
    }
    requests.push(one)
    return reply(one, requests.length - 1)
  }
  return {
    requests,
    api: 'https://directory.example/api',
    fetch: fetch as typeof globalThis.fetch,
  }
}

export const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), {
    status: 200,
    ...init,
    headers: { 'content-type': 'application/json; charset=utf-8', ...init.headers },
  })

/** The response of a lookup. */
export const lookupBody = (id: string, records: readonly object[] = []) => ({
  status: true,
  result: records,
  error: null,
  stats: [{ metric: 'api_emoji_lookups', description: '', key: id, value: 3 }],
})

export const record = (tag: string, data: string) => ({
  tag,
  data,
  hash: recordHash(tag as Tag, data),
})

/** Rejects as `fetch` does when the connection is lost. */
export const loseConnection = () => Promise.reject(new TypeError('fetch failed'))

export const vectorLines = (name: string): string[] =>
  vectorText(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

export const vectorText = (name: string): string =>
  readFileSync(new URL(`../../core/test-vectors/${name}`, import.meta.url), 'utf8')

/** An unsigned JWT, valid for so many seconds. */
export function accessToken(seconds: number, name = '', sub?: string): string {
  const iat = Math.floor(Date.now() / 1_000)
  const claims = btoa(JSON.stringify({ iat, exp: iat + seconds, name, sub }))
  return `e30.${claims.replaceAll('=', '')}.x`
}

export const thrownBy = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
