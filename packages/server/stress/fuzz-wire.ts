import { randomInt } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Actor } from './fuzz-cast.ts'
import { KnownValue, type Memory } from './fuzz-memory.ts'
import type { Recipe } from './fuzz-requests.ts'

export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}
export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
}

export const patienceMs = 10_000
const agent = new Agent({ keepAlive: true })

/** The request of a recipe with existing objects, preferring those of the caller. */
export function requestOf(
  recipe: Recipe,
  { headers, memory }: Actor,
  everybodys: Memory,
): FuzzRequest {
  const resolve = (value: unknown): unknown => {
    if (value instanceof KnownValue) {
      const isOwn = value.roll < (value.kind === 'user' ? 0.3 : 0.75)
      const recalled = isOwn ? memory.recall(value) : undefined
      return recalled ?? everybodys.recall(value) ?? value.otherwise
    }
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, resolve(of)]))
  }
  const part = (value: unknown) => encodeValue(resolve(value))
  const path = recipe.operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => part(recipe.path[name]))
  const query = recipe.query.map(([name, value]) => `${name}=${part(value)}`).join('&')
  const { body } = recipe
  const text = body && ('raw' in body ? body.raw : JSON.stringify(resolve(body.json)))
  return {
    method: recipe.method,
    path: query ? `${path}?${query}` : path,
    headers: { ...recipe.headers, ...headers },
    body: text,
  }
}

/** Percent-encoded, except where the encoding is under test. */
function encodeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text === '..' || /^%[\x21-\x7e]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed())
}

/** Sends it from a new address. Describes a missing response in words. */
export function send(port: number, sentRequest: FuzzRequest): Promise<Answer | string> {
  const start = performance.now()
  const body = sentRequest.body === undefined ? undefined : Buffer.from(sentRequest.body)
  const places = [randomInt(256), randomInt(256), randomInt(256)]
  const headers = {
    ...sentRequest.headers,
    'x-forwarded-for': `10.${places.join('.')}`,
    ...(body ? { 'content-length': body.length } : {}),
  }
  return new Promise((resolve) => {
    const options = { agent, port, host: '127.0.0.1', method: sentRequest.method, headers }
    const clientRequest = request({ ...options, path: `/api${sentRequest.path}` }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', (error) => resolve(`the answer broke off: ${error.message}`))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
          ms: performance.now() - start,
        }),
      )
    })
    clientRequest.setTimeout(patienceMs, () =>
      clientRequest.destroy(new Error(`nothing for ${patienceMs} ms`)),
    )
    clientRequest.on('error', (error) => resolve(error.message))
    clientRequest.end(body)
  })
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const shownAtMost = 1_500

/** The same as a curl command. It names the caller, since the credential ends with the run. */
export function curlOf({ method, path, headers, body }: FuzzRequest, role: string): string {
  const shownHeaders = Object.entries(headers).map(([name, value]) => {
    const isSecret = name === 'authorization' || name === 'x-api-key'
    return `-H ${quoted(`${name}: ${isSecret ? `<${role}>` : value}`)}`
  })
  const data = body === undefined ? [] : [`--data-raw ${quoted(body.slice(0, shownAtMost))}`]
  const cut = body && body.length > shownAtMost ? [`# … ${body.length} characters`] : []
  const url = quoted(`$URL/api${path.slice(0, shownAtMost)}`).replace("'$URL", '"$URL"\'')
  return ['curl --globoff', `-X ${method}`, url, ...shownHeaders, ...data, ...cut].join(' ')
}
